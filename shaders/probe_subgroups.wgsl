// probe_subgroups: what subgroup operations really do on this adapter, for the start-up self-test.
// One workgroup; each lane reports ten words at its place in subgroup order. src/native checks
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
  let up = subgroupShuffleUp(value, 1u);
  let across = subgroupShuffleXor(value, 1u);
  let last = subgroupShuffle(value, size - 1u);
  // Whose number is a multiple of three: the word that this lane's own bit is in.
  let ballot = subgroupBallot(subgroup_lane % 3u == 0u);
  let word = subgroup_lane / 32u;
  let vote = select(select(ballot.x, ballot.y, word == 1u), select(ballot.z, ballot.w, word == 3u),
                    word > 1u);
  if (lane < WORKGROUP_WIDTH) {
    report[lane * 10u] = subgroup_id;
    report[lane * 10u + 1u] = subgroup_lane;
    report[lane * 10u + 2u] = size;
    report[lane * 10u + 3u] = inclusive;
    report[lane * 10u + 4u] = exclusive;
    report[lane * 10u + 5u] = total;
    report[lane * 10u + 6u] = up;
    report[lane * 10u + 7u] = across;
    report[lane * 10u + 8u] = last;
    report[lane * 10u + 9u] = vote;
  }
}
