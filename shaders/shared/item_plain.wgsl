// What blocks add up without segments: elements.
alias Item = Element;

fn identity_item() -> Item {
  return identity();
}

fn combine_items(a: Item, b: Item) -> Item {
  return combine(a, b);
}

// What a row has before it, given what the rows before it add up to.
fn entering(before: Item) -> Element {
  return before;
}

fn start_item(start: Element) -> Item {
  return start;
}
