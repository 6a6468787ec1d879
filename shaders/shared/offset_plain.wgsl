// Rows of the scan itself, without segments: all are open to what enters their block.
alias Row = Element;

override IS_REVERSE: bool = false;

fn is_open(group: u32, at: u32) -> bool {
  return true;
}

fn add_offset(row: u32, before: Item) {
  store_element(row, combine(before, load_result(row)));
}
