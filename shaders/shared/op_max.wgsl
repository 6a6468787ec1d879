// The greater by the fragment in slot `order`.
fn identity() -> Element {
  return least();
}
fn combine(a: Element, b: Element) -> Element {
  return select(a, b, is_greater(b, a));
}
