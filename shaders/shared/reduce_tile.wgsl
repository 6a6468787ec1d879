// The body of reduce_tiles in both variants: a tile is ROUNDS rounds of four rows a lane. A kernel
// that imports it also imports block_ladder or block_subgroups.

#slot element element_1
#slot operator op_add
#slot order order_none
#slot code code_none
#slot item item_plain
#slot rows rows_plain
#slot access access_words
#slot source source_separate
#slot flags flags_none
#slot place place_contiguous
#slot runs runs_none
#slot row_count row_count_planned
#slot start start_identity
#slot total total_spine

override WORKGROUP_WIDTH: u32 = 256;
override ROUNDS: u32 = 1;

fn reduce_tile(lane: u32, group: u32) {
  // Uniform, before any barrier, and before the product below could wrap.
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  let first_row = group * (4u * WORKGROUP_WIDTH * ROUNDS);
  let tile_rows = min(4u * WORKGROUP_WIDTH * ROUNDS, rows - min(rows, first_row));
  enter_rows(first_row, first_row + max(tile_rows, 1u) - 1u);

  // Rows beyond the end are the identity: a tail guard selects values, never who reaches a barrier.
  #repeat k ROUNDS
  let row_${k} = quad_at(first_row, round_position(lane, ${k}u, ROUNDS));
  let rows_${k} = load_rows(row_${k}, rows);
  #end
  var total = identity_item();
  #repeat k ROUNDS
  total = combine_items(total, reduce_round(lane, item_of_rows(rows_${k})));
  #end

  total = tile_total(lane, total);
  if (lane == WORKGROUP_WIDTH - 1u) {
    store_total(group, total);
  }
}
