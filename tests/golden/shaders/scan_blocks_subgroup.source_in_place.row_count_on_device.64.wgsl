// scan_blocks_subgroup: scan_blocks with subgroup operations; the same results, one barrier.
// Reads every row once, writes every row and one word a block. Right for any power-of-two subgroup
// size: the size is counted here, never taken from the host.

// The workgroup's number in a dispatch that may be folded into three dimensions. Below 2^32 for any
// shape the planner makes; callers compare it with their group count before they multiply it.
fn linear_group(group_id: vec3u, group_counts: vec3u) -> u32 {
  return group_id.x + group_counts.x * (group_id.y + group_counts.y * group_id.z);
}
// The body of scan_blocks in both variants: rows in, block scan, rows and block sum out. A kernel
// that imports it also imports block_ladder or block_subgroups, which give
// block_scan(lane, value): the combination of the lanes before `lane`, and with its own value.
// A row count on the device takes two slots: row_count_on_device, parameters_row_count.

alias Element = u32;
// Addition modulo 2^32.
fn identity() -> Element {
  return 0u;
}
fn combine(a: Element, b: Element) -> Element {
  return a + b;
}
// Input rows within the output's binding: the very same rows, or a disjoint range beside them.
fn load_row(row: u32) -> Element {
  return output[parameters.input_offset + row];
}
// The rows of the dispatch below a row count that earlier work left on the device. A count beyond
// them takes them all. Uniform: every lane reads the same word of a read-only buffer.
@group(0) @binding(4) var<storage, read> row_count: array<u32>;

fn live_rows() -> u32 {
  let count = row_count[parameters.count_index];
  return min(count - min(count, parameters.first_row), parameters.row_count);
}

struct Parameters {
  row_count: u32,      // Rows of this dispatch.
  group_count: u32,    // Blocks of this dispatch; launched groups beyond them do nothing.
  input_offset: u32,   // Row of the binding where the first block's input starts.
  output_offset: u32,  // The same for its output,
  sums_offset: u32,    // and for its sum.
  first_row: u32,      // Rows of the whole scan before those of this dispatch.
  count_index: u32,    // Word of its binding where the row count of the whole scan stands.
}

struct BlockScan {
  before: Element,
  through: Element,
}

override WORKGROUP_WIDTH: u32 = 256;
override ROWS_PER_LANE: u32 = 1;
override IS_INCLUSIVE: bool = false;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> output: array<Element>;
@group(0) @binding(2) var<storage, read_write> block_sums: array<Element>;

fn scan_block(lane: u32, group: u32) {
  // Uniform, before any barrier, and before the product below could wrap.
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  // Uniform, too. A block beyond a row count has the identity for its sum: whoever scans the sums
  // need not know the count.
  if (group * WORKGROUP_WIDTH * ROWS_PER_LANE >= rows) {
    if (lane == 0u) {
      block_sums[parameters.sums_offset + group] = identity();
    }
    return;
  }
  let first_row = (group * WORKGROUP_WIDTH + lane) * ROWS_PER_LANE;

  // Rows beyond the end are the identity: a tail guard selects values, never who reaches a barrier.
  var total = identity();
  var value_0 = identity();
  if (first_row + 0u < rows) {
    value_0 = load_row(first_row + 0u);
  }
  total = combine(total, value_0);
  var value_1 = identity();
  if (first_row + 1u < rows) {
    value_1 = load_row(first_row + 1u);
  }
  total = combine(total, value_1);
  var value_2 = identity();
  if (first_row + 2u < rows) {
    value_2 = load_row(first_row + 2u);
  }
  total = combine(total, value_2);
  var value_3 = identity();
  if (first_row + 3u < rows) {
    value_3 = load_row(first_row + 3u);
  }
  total = combine(total, value_3);

  let scanned = block_scan(lane, total);

  // The last lane, not the last valid row: it alone has seen the whole block.
  if (lane == WORKGROUP_WIDTH - 1u) {
    block_sums[parameters.sums_offset + group] = scanned.through;
  }
  var running = scanned.before;
  let exclusive_0 = running;
  running = combine(running, value_0);
  if (first_row + 0u < rows) {
    output[parameters.output_offset + first_row + 0u] =
        select(exclusive_0, running, IS_INCLUSIVE);
  }
  let exclusive_1 = running;
  running = combine(running, value_1);
  if (first_row + 1u < rows) {
    output[parameters.output_offset + first_row + 1u] =
        select(exclusive_1, running, IS_INCLUSIVE);
  }
  let exclusive_2 = running;
  running = combine(running, value_2);
  if (first_row + 2u < rows) {
    output[parameters.output_offset + first_row + 2u] =
        select(exclusive_2, running, IS_INCLUSIVE);
  }
  let exclusive_3 = running;
  running = combine(running, value_3);
  if (first_row + 3u < rows) {
    output[parameters.output_offset + first_row + 3u] =
        select(exclusive_3, running, IS_INCLUSIVE);
  }
}
// Block scan by subgroup operations: each subgroup scans itself and leaves its total; after one
// barrier each subgroup adds up the totals before its own. Any power-of-two subgroup size: a lane
// takes every size-th total, so small subgroups loop and those of 16 and more take one step.
// Addition across a subgroup, in the order of its lanes.
fn subgroup_inclusive(value: Element) -> Element {
  return subgroupInclusiveAdd(value);
}
fn subgroup_exclusive(value: Element) -> Element {
  return subgroupExclusiveAdd(value);
}
fn subgroup_total(value: Element) -> Element {
  return subgroupAdd(value);
}

var<private> subgroup: u32;
var<private> lane_in_subgroup: u32;
var<private> lanes_of_subgroup: u32;

// One word a subgroup; there are as many subgroups as lanes where a subgroup is one lane.
var<workgroup> subgroup_totals: array<Element, WORKGROUP_WIDTH>;

// Notes where this invocation is and returns its lane in the block, in subgroup order.
fn enter_subgroup(subgroup_id: u32, subgroup_lane: u32) -> u32 {
  subgroup = subgroup_id;
  lane_in_subgroup = subgroup_lane;
  lanes_of_subgroup = subgroupAdd(1u);
  return subgroup * lanes_of_subgroup + lane_in_subgroup;
}

fn block_scan(lane: u32, value: Element) -> BlockScan {
  let before = subgroup_exclusive(value);
  let through = subgroup_inclusive(value);
  if (lane_in_subgroup == lanes_of_subgroup - 1u) {
    subgroup_totals[subgroup] = through;
  }
  workgroupBarrier();  // Parts the stores of the totals from their reads.
  var partial = identity();
  for (var i = lane_in_subgroup; i < subgroup; i += lanes_of_subgroup) {
    partial = combine(partial, subgroup_totals[i]);
  }
  let carry = subgroup_total(partial);
  return BlockScan(combine(carry, before), combine(carry, through));
}

@compute @workgroup_size(WORKGROUP_WIDTH)
fn scan_blocks_subgroup(
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let lane = enter_subgroup(subgroup_id, subgroup_lane);
  scan_block(lane, linear_group(group_id, group_counts));
}
