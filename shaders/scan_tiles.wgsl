// scan_tiles: the scan of each tile of 4 * WORKGROUP_WIDTH * ROUNDS rows, from what enters it.
// One pass: reads every row once, writes every row, reads one item a tile. Path `reduce-then-scan`
// runs it last. Portable: the lanes of the workgroup scan a round through workgroup memory.

#import linear_group
#import parameters
#import elements
#import block_scan_types
#import tile
#import scan_tile
#import block_ladder
#import tile_ladder

@compute @workgroup_size(WORKGROUP_WIDTH)
fn scan_tiles(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  scan_tile(lane, linear_group(group_id, group_counts));
}
