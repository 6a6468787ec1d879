// probe_subgroups: what subgroup operations really do on this adapter, for the start-up self-test.
// One workgroup; each lane reports six words at its place in subgroup order. src/native checks
// them.

override WORKGROUP_WIDTH: u32 = 256;

@group(0) @binding(1) var<storage, read_write> report: array<u32>;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn probe_subgroups(
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32) {
  let size = subgroupAdd(1u);
  let lane = subgroup_id * size + subgroup_lane;
  let value = lane + 1u;
  let inclusive = subgroupInclusiveAdd(value);
  let exclusive = subgroupExclusiveAdd(value);
  let total = subgroupAdd(value);
  if (lane < WORKGROUP_WIDTH) {
    report[lane * 6u] = subgroup_id;
    report[lane * 6u + 1u] = subgroup_lane;
    report[lane * 6u + 2u] = size;
    report[lane * 6u + 3u] = inclusive;
    report[lane * 6u + 4u] = exclusive;
    report[lane * 6u + 5u] = total;
  }
}
