// Elements are what the rows hold.
fn encode(row: Element) -> Element {
  return row;
}
fn decode(element: Element) -> Element {
  return element;
}
