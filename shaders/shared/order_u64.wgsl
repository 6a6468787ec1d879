// Order of u64.
fn least() -> Element {
  return vec2u();
}
fn greatest() -> Element {
  return vec2u(0xffffffffu);
}
fn is_less(a: Element, b: Element) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}
fn is_greater(a: Element, b: Element) -> bool {
  return is_less(b, a);
}
