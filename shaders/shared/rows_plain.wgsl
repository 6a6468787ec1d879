// Rows of the scan itself, without segments.
alias Row = Element;

override IS_INCLUSIVE: bool = false;
override IS_REVERSE: bool = false;

fn absent_row() -> Row {
  return identity();
}

fn load_row(row: u32) -> Row {
  return load_element(row);
}

fn item_of(row: Row) -> Item {
  return row;
}

fn result_of(before: Item, row: Row) -> Element {
  return select(before, combine(before, row), IS_INCLUSIVE);
}

fn load_rows(first: u32, rows: u32) -> Rows {
  let four = in_scan_order(load_four(first, rows));
  return Rows(four.a, four.b, four.c, four.d);
}
