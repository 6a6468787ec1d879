// The lesser by the fragment in slot `order`.
fn identity() -> Element {
  return greatest();
}
fn combine(a: Element, b: Element) -> Element {
  return select(a, b, is_less(b, a));
}
