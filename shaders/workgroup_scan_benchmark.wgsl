// workgroup_scan_benchmark: times the portable block scan alone. Each workgroup scans its own lanes
// round after round in workgroup memory; only a checksum a workgroup reaches a buffer.
// 17 barriers a round at 256 lanes. Run by src/api/workgroup_scan_benchmark.cpp.

#import linear_group
#import benchmark_rounds
#import block_scan_types
#slot operator op_add
#slot start start_identity
#slot item item_plain

var<workgroup> ladder: array<Element, WORKGROUP_WIDTH>;

// As block_ladder, but that the exclusive value is not read from the ladder: the last barrier is
// then behind every read, and the next round may store at once.
fn block_scan(lane: u32, value: Element) -> BlockScan {
  ladder[lane] = value;
  workgroupBarrier();  // Parts the stores of the values from the reads of the first step.
  var through = value;
  for (var distance = 1u; distance < WORKGROUP_WIDTH; distance <<= 1u) {
    if (lane >= distance) {
      through = ladder[lane - distance] + through;
    }
    workgroupBarrier();  // Parts all reads of this step from its writes.
    ladder[lane] = through;
    workgroupBarrier();  // Parts all writes of this step from the reads of the next.
  }
  return BlockScan(through - value, through);
}

@compute @workgroup_size(WORKGROUP_WIDTH)
fn workgroup_scan_benchmark(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let group = linear_group(group_id, group_counts);
  if (group >= parameters.group_count) {
    return;
  }
  var value = lane + 1u;
  for (var round = 0u; round < parameters.round_count; round += 1u) {
    value = round_output(block_scan(lane, round_input(value, round, lane)));
  }
  store_checksum(group, lane, value);
}
