// The body of scan_blocks in both variants: rows in, block scan, rows and block total out. A kernel
// that imports it also imports block_ladder or block_subgroups.

#slot element element_1
#slot operator op_add
#slot order order_none
#slot code code_none
#slot item item_plain
#slot rows rows_plain
#slot access access_words
#slot source source_separate
#slot sink sink_words
#slot target target_words
#slot store store_rows
#slot flags flags_none
#slot place place_contiguous
#slot runs runs_none
#slot row_count row_count_planned
#slot start start_identity
#slot carry carry_none
#slot total total_spine
#slot open open_none

override WORKGROUP_WIDTH: u32 = 256;
override ROWS_PER_LANE: u32 = 1;

fn scan_block(lane: u32, group: u32) {
  // Uniform, before any barrier, and before the product below could wrap.
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  let carry = block_carry(group);
  let first_row = group * WORKGROUP_WIDTH * ROWS_PER_LANE;
  // Uniform, too. A block beyond a row count adds nothing: whoever scans the totals need not know
  // the count.
  if (first_row >= rows) {
    if (lane == 0u) {
      store_total(group, carry);
    }
    return;
  }
  enter_rows(first_row, min(first_row + WORKGROUP_WIDTH * ROWS_PER_LANE, rows) - 1u);

  // Rows beyond the end are the identity: a tail guard selects values, never who reaches a barrier.
  var total = identity_item();
  #repeat k ROWS_PER_LANE
  let position_${k} = lane * ROWS_PER_LANE + ${k}u;
  let row_${k} = row_at(first_row, position_${k});
  var loaded_${k} = absent_row();
  if (row_${k} < rows) {
    loaded_${k} = load_row(row_${k});
  }
  total = combine_items(total, item_of(loaded_${k}));
  #end

  let scanned = block_scan(lane, total);

  // The last lane, not the last valid row: it alone has seen the whole block.
  if (lane == WORKGROUP_WIDTH - 1u) {
    store_total(group, combine_items(carry, scanned.through));
    note_total(group, scanned.through);
  }
  var running = combine_items(carry, scanned.before);
  #repeat k ROWS_PER_LANE
  if (row_${k} < rows) {
    store_result(row_${k}, running, loaded_${k});
    note_row(group, position_${k}, running, loaded_${k});
  }
  running = combine_items(running, item_of(loaded_${k}));
  #end
}

// The row at a position of the scan's own order within a block.
fn row_at(first_row: u32, position: u32) -> u32 {
  return first_row + select(position, WORKGROUP_WIDTH * ROWS_PER_LANE - 1u - position, IS_REVERSE);
}
