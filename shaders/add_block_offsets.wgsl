// add_block_offsets: combines every row with what enters its block.
// One pass: reads and writes every row, reads one item a block. Path `chained` runs it once a
// level, from the topmost but one down to the rows.

#import linear_group
#import parameters
#import elements

#slot element element_1
#slot operator op_add
#slot order order_none
#slot code code_none
#slot item item_plain
#slot rows offset_plain
#slot sink sink_words
#slot target target_words
#slot place place_contiguous
#slot runs runs_none
#slot row_count row_count_planned
#slot start start_identity
#slot carry carry_spine

override WORKGROUP_WIDTH: u32 = 256;
override ROWS_PER_LANE: u32 = 1;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn add_block_offsets(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let group = linear_group(group_id, group_counts);
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  let first_row = group * WORKGROUP_WIDTH * ROWS_PER_LANE;
  if (first_row >= rows) {
    return;
  }
  enter_rows(first_row, min(first_row + WORKGROUP_WIDTH * ROWS_PER_LANE, rows) - 1u);
  let carry = block_carry(group);
  #repeat k ROWS_PER_LANE
  let at_${k} = lane * ROWS_PER_LANE + ${k}u;
  if (first_row + at_${k} < rows && is_open(group, at_${k})) {
    add_offset(first_row + at_${k}, carry);
  }
  #end
}
