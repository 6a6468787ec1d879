// Rows of a level above the scan's own: what comes before blocks of the level below.
alias Row = Item;

override IS_REVERSE: bool = false;

@group(0) @binding(1) var<storage, read_write> items: array<Item>;

fn is_open(group: u32, at: u32) -> bool {
  return true;
}

fn add_offset(row: u32, before: Item) {
  items[parameters.input + row] = combine_items(before, items[parameters.input + row]);
}
