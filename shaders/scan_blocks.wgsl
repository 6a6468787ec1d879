// scan_blocks: the scan of each block of 256 rows on its own, and the total of each block.
// One pass: reads every row once, writes every row and one item a block. Path `chained` runs it on
// the rows, then on the totals of the blocks (in place), until one block is left; path
// `reduce-then-scan` on the totals of its tiles.
// Portable: the block scan is a two-barrier ladder in workgroup memory, 17 barriers at 256 lanes.

#import linear_group
#import parameters
#import elements
#import block_scan_types
#import scan_block
#import block_ladder

@compute @workgroup_size(WORKGROUP_WIDTH)
fn scan_blocks(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  scan_block(lane, linear_group(group_id, group_counts));
}
