// scan_blocks: prefix sums of each block of 256 rows on its own, and the sum of each block.
// One pass: reads every row once, writes every row and one word a block. Path `chained` runs it on
// the rows, then on the sums of the blocks (in place), until one block is left.
// Portable: the block scan is a two-barrier ladder in workgroup memory, 17 barriers at 256 lanes.

#import linear_group
#import scan_block
#import block_ladder

@compute @workgroup_size(WORKGROUP_WIDTH)
fn scan_blocks(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  scan_block(lane, linear_group(group_id, group_counts));
}
