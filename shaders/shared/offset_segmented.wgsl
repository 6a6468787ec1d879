// Rows of the scan itself, with segments: those before a block's first start are open to what
// enters the block, counted in scan order.
alias Row = Element;

override IS_REVERSE: bool = false;

@group(0) @binding(6) var<storage, read> open: array<u32>;

fn is_open(group: u32, at: u32) -> bool {
  let position = select(at, WORKGROUP_WIDTH * ROWS_PER_LANE - 1u - at, IS_REVERSE);
  return position < open[parameters.open + group];
}

fn add_offset(row: u32, before: Item) {
  store_element(row, combine(entering(before), load_result(row)));
}
