// workgroup_scan_benchmark: times the portable block scan alone. Each workgroup scans its own lanes
// round after round in workgroup memory; only a checksum a workgroup reaches a buffer.
// 17 barriers a round at 256 lanes. Run by src/api/workgroup_scan_benchmark.cpp.

// The workgroup's number in a dispatch that may be folded into three dimensions. Below 2^32 for any
// shape the planner makes; callers compare it with their group count before they multiply it.
fn linear_group(group_id: vec3u, group_counts: vec3u) -> u32 {
  return group_id.x + group_counts.x * (group_id.y + group_counts.y * group_id.z);
}
// What both kernels of the workgroup-scan benchmark share: lane i starts with i + 1, and each round
// makes a lane's value the prefix of (value XOR (round + lane)) over the workgroup.
alias Element = u32;

struct Parameters {
  round_count: u32,
  group_count: u32,  // Launched groups beyond them do nothing.
}

override WORKGROUP_WIDTH: u32 = 256;
override IS_INCLUSIVE: bool = false;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> checksums: array<u32>;

fn round_input(value: u32, round: u32, lane: u32) -> u32 {
  return value ^ (round + lane);
}

fn round_output(scanned: BlockScan) -> u32 {
  return select(scanned.before, scanned.through, IS_INCLUSIVE);
}

// The last lane has seen the whole workgroup.
fn store_checksum(group: u32, lane: u32, value: u32) {
  if (lane == WORKGROUP_WIDTH - 1u) {
    checksums[group] = value;
  }
}
// What a block scan gives each lane.
struct BlockScan {
  before: Item,   // What the lanes before it add up to,
  through: Item,  // and with its own.
}

// What a scan by the lanes that go through a round together gives each of them.
struct RoundScan {
  before: Item,  // What the lanes before it add up to,
  total: Item,   // and all of them.
}
// Addition modulo 2^32.
fn identity() -> Element {
  return 0u;
}
fn combine(a: Element, b: Element) -> Element {
  return a + b;
}
// The scan and its segments start from nothing.
fn segment_start() -> Element {
  return identity();
}

fn scan_start() -> Element {
  return identity();
}
// What blocks add up without segments: elements.
alias Item = Element;

fn identity_item() -> Item {
  return identity();
}

fn combine_items(a: Item, b: Item) -> Item {
  return combine(a, b);
}

// What a row has before it, given what the rows before it add up to.
fn entering(before: Item) -> Element {
  return before;
}

fn start_item(start: Element) -> Item {
  return start;
}

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
