// Order of i32.
fn least() -> Element {
  return 0x80000000u;
}
fn greatest() -> Element {
  return 0x7fffffffu;
}
fn is_less(a: Element, b: Element) -> bool {
  return bitcast<i32>(a) < bitcast<i32>(b);
}
fn is_greater(a: Element, b: Element) -> bool {
  return is_less(b, a);
}
