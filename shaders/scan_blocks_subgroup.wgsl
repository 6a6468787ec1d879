// scan_blocks_subgroup: scan_blocks with subgroup operations; same result, one barrier.

#import linear_group
#import parameters
#import elements
#import block_scan_types
#import scan_block
#import block_subgroups

@compute @workgroup_size(WORKGROUP_WIDTH)
fn scan_blocks_subgroup(
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let lane = enter_subgroup(subgroup_id, subgroup_lane);
  scan_block(lane, linear_group(group_id, group_counts));
}
