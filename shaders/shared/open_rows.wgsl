// How many rows of a block, in scan order, are open to what enters it: those before the first
// start.
@group(0) @binding(6) var<storage, read_write> open: array<u32>;

// Stores the count where this row is the first start of the block: it is open itself if its flag
// ends a segment.
fn note_row(group: u32, position: u32, before: Item, row: Row) {
  if (row.starts > 0u && before.starts == 0u) {
    open[parameters.open + group] = position + select(0u, 1u, IS_REVERSE);
  }
}

fn note_total(group: u32, total: Item) {
  if (total.starts == 0u) {
    open[parameters.open + group] = WORKGROUP_WIDTH * ROWS_PER_LANE;
  }
}
