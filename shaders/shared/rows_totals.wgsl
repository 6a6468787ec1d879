// Rows of a level above the rows of a reduction: what blocks add up to, only read.
alias Row = Item;

override IS_REVERSE: bool = false;

@group(0) @binding(3) var<storage, read> items: array<Item>;

fn absent_row() -> Row {
  return identity_item();
}

fn item_of(row: Row) -> Item {
  return row;
}

fn load_rows(first: u32, rows: u32) -> Rows {
  var loaded = Rows(absent_row(), absent_row(), absent_row(), absent_row());
  if (first < rows) {
    loaded.a = items[parameters.input + first];
  }
  if (first + 1u < rows) {
    loaded.b = items[parameters.input + first + 1u];
  }
  if (first + 2u < rows) {
    loaded.c = items[parameters.input + first + 2u];
  }
  if (first + 3u < rows) {
    loaded.d = items[parameters.input + first + 3u];
  }
  return loaded;
}
