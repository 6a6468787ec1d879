// What blocks add up to with segments: the running value since the last start among the rows, and
// whether there was one, or how many. Associative: a start in `b` hides all of `a` (Blelloch 1990,
// segmented scans as scans of pairs).
struct Item {
  value: Element,
  starts: u32,  // Not 0 if there was one.
}

override COUNTS_STARTS: bool = false;

fn identity_item() -> Item {
  return Item(identity(), 0u);
}

fn combine_items(a: Item, b: Item) -> Item {
  let starts = select(a.starts | b.starts, a.starts + b.starts, COUNTS_STARTS);
  return Item(select(combine(a.value, b.value), b.value, b.starts > 0u), starts);
}

// What a row has before it, given what the rows before it add up to. What enters the scan is in the
// value of rows without a start; what every later segment starts with is not.
fn entering(before: Item) -> Element {
  return select(before.value, combine(segment_start(), before.value), before.starts > 0u);
}

fn start_item(start: Element) -> Item {
  return Item(start, 0u);
}
