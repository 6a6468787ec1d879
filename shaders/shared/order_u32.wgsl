// Order of u32.
fn least() -> Element {
  return 0u;
}
fn greatest() -> Element {
  return 0xffffffffu;
}
fn is_less(a: Element, b: Element) -> bool {
  return a < b;
}
fn is_greater(a: Element, b: Element) -> bool {
  return is_less(b, a);
}
