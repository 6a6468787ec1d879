// Rows of a level above the scan's own: what blocks add up to, replaced in place by what comes
// before each.
alias Row = Item;

override IS_REVERSE: bool = false;

@group(0) @binding(1) var<storage, read_write> items: array<Item>;

fn absent_row() -> Row {
  return identity_item();
}

fn load_row(row: u32) -> Row {
  return items[parameters.input + row];
}

fn item_of(row: Row) -> Item {
  return row;
}
