// workgroup_scan_benchmark_subgroup: workgroup_scan_benchmark with subgroup operations; the same
// checksums, 2 barriers a round. Right for any power-of-two subgroup size.

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
// Block scan by subgroup operations: each subgroup scans itself and leaves its total; after one
// barrier each subgroup adds up the totals before its own. Any power-of-two subgroup size: a lane
// takes its share of them, in order, so small subgroups loop and those of 16 and more take one
// step.
// Addition across a subgroup, in the order of its lanes.
fn subgroup_scan(value: Item) -> BlockScan {
  let before = subgroupExclusiveAdd(value);
  return BlockScan(before, before + value);
}
fn subgroup_total(value: Item) -> Item {
  return subgroupAdd(value);
}
// Of values that repeat every `width` lanes, one of each.
fn repeated_total(value: Item, width: u32) -> Item {
  return subgroupAdd(select(0u, value, lane_in_subgroup < width));
}
fn last_lane_of(value: Item) -> Item {
  return subgroupShuffle(value, lanes_of_subgroup - 1u);
}
// The operator has an instruction of its own.

var<private> subgroup: u32;
var<private> lane_in_subgroup: u32;
var<private> lanes_of_subgroup: u32;

// One item a subgroup; there are as many subgroups as lanes where a subgroup is one lane.
var<workgroup> subgroup_totals: array<Item, WORKGROUP_WIDTH>;

// Notes where this invocation is and returns its lane in the block, in subgroup order.
fn enter_subgroup(subgroup_id: u32, subgroup_lane: u32) -> u32 {
  subgroup = subgroup_id;
  lane_in_subgroup = subgroup_lane;
  lanes_of_subgroup = subgroupAdd(1u);
  return subgroup * lanes_of_subgroup + lane_in_subgroup;
}

// What the subgroups before this one add up to; `total` is the subgroup's own, in its last lane.
fn carry_before_subgroup(total: Item) -> Item {
  if (lane_in_subgroup == lanes_of_subgroup - 1u) {
    subgroup_totals[subgroup] = total;
  }
  workgroupBarrier();  // Parts the stores of the totals from their reads.
  // As many lanes as there are subgroups share the totals; where there are more lanes, they repeat.
  let subgroups = WORKGROUP_WIDTH / lanes_of_subgroup;
  let width = min(subgroups, lanes_of_subgroup);
  let share = subgroups / width;
  let first = (lane_in_subgroup & (width - 1u)) * share;
  var partial = identity_item();
  for (var i = first; i < min(first + share, subgroup); i += 1u) {
    partial = combine_items(partial, subgroup_totals[i]);
  }
  return repeated_total(partial, width);
}

fn block_scan(lane: u32, value: Item) -> BlockScan {
  let scanned = subgroup_scan(value);
  let carry = carry_before_subgroup(scanned.through);
  return BlockScan(combine_items(carry, scanned.before), combine_items(carry, scanned.through));
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
