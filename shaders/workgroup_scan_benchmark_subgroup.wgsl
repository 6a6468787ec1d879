// workgroup_scan_benchmark_subgroup: workgroup_scan_benchmark with subgroup operations; the same
// checksums, 2 barriers a round. Right for any power-of-two subgroup size.

#import linear_group
#import benchmark_rounds
#import block_scan_types
#import block_subgroups
#slot operator op_add
#slot start start_identity
#slot item item_plain

@compute @workgroup_size(WORKGROUP_WIDTH)
fn workgroup_scan_benchmark_subgroup(
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let lane = enter_subgroup(subgroup_id, subgroup_lane);
  let group = linear_group(group_id, group_counts);
  if (group >= parameters.group_count) {
    return;
  }
  var value = lane + 1u;
  for (var round = 0u; round < parameters.round_count; round += 1u) {
    value = round_output(block_scan(lane, round_input(value, round, lane)));
    workgroupBarrier();  // Parts the reads of this round's totals from the stores of the next.
  }
  store_checksum(group, lane, value);
}
