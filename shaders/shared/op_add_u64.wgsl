// Addition modulo 2^64.
fn identity() -> Element {
  return vec2u();
}
fn combine(a: Element, b: Element) -> Element {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}
