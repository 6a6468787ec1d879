// reduce_tiles: the total of each tile of 4 * WORKGROUP_WIDTH * ROUNDS rows.
// One pass: reads every row once, writes one item a tile. Path `reduce-then-scan` runs it first, a
// reduction runs it on the rows, then on the totals, until one is left.
// Portable: the lanes of the workgroup go through a round together, in workgroup memory.

#import linear_group
#import parameters
#import elements
#import block_scan_types
#import tile
#import reduce_tile
#import block_ladder
#import tile_ladder

@compute @workgroup_size(WORKGROUP_WIDTH)
fn reduce_tiles(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  reduce_tile(lane, linear_group(group_id, group_counts));
}
