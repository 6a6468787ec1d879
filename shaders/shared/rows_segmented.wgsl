// Rows of the scan itself, with a flag each. Forward a flag starts a segment; in reverse it ends
// one, in the direction of the scan: the row belongs to what is before it, and nothing after it
// sees either.
struct Row {
  value: Element,
  starts: u32,
}

override IS_INCLUSIVE: bool = false;
override IS_REVERSE: bool = false;
// The first row of all starts a segment, whatever its flag.
override FIRST_STARTS: bool = false;

fn absent_row() -> Row {
  return Row(identity(), 0u);
}

fn load_row(row: u32) -> Row {
  return Row(load_element(row), load_flag(row));
}

fn item_of(row: Row) -> Item {
  return Item(select(row.value, identity(), IS_REVERSE && row.starts > 0u), row.starts);
}

fn result_of(before: Item, row: Row) -> Element {
  let is_start = !IS_REVERSE && row.starts > 0u;
  let start = select(entering(before), segment_start(), is_start);
  return select(start, combine(start, row.value), IS_INCLUSIVE);
}

fn load_rows(first: u32, rows: u32) -> Rows {
  let four = in_scan_order(load_four(first, rows));
  var physical = load_flags(first, rows);
  if (FIRST_STARTS && first < rows && first + parameters.first_row == 0u) {
    physical.x = 1u;
  }
  let flags = select(physical, physical.wzyx, vec4<bool>(IS_REVERSE));
  return Rows(Row(four.a, flags.x), Row(four.b, flags.y), Row(four.c, flags.z),
              Row(four.d, flags.w));
}
