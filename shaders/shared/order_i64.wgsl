// Order of i64: as of u64 with the signs' bits turned round.
fn least() -> Element {
  return vec2u(0u, 0x80000000u);
}
fn greatest() -> Element {
  return vec2u(0xffffffffu, 0x7fffffffu);
}
fn is_less(a: Element, b: Element) -> bool {
  let high_a = bitcast<i32>(a.y);
  let high_b = bitcast<i32>(b.y);
  return high_a < high_b || (high_a == high_b && a.x < b.x);
}
fn is_greater(a: Element, b: Element) -> bool {
  return is_less(b, a);
}
