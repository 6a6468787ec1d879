// add_block_offsets: adds to every row what all blocks before its own add up to.
// One pass: reads and writes every row, reads one word a block. Path `chained` runs it once a
// level, from the topmost but one down to the rows.

// The workgroup's number in a dispatch that may be folded into three dimensions. Below 2^32 for any
// shape the planner makes; callers compare it with their group count before they multiply it.
fn linear_group(group_id: vec3u, group_counts: vec3u) -> u32 {
  return group_id.x + group_counts.x * (group_id.y + group_counts.y * group_id.z);
}
alias Element = u32;
// Addition modulo 2^32.
fn identity() -> Element {
  return 0u;
}
fn combine(a: Element, b: Element) -> Element {
  return a + b;
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
  output_offset: u32,  // Row of the binding where the first block starts.
  sums_offset: u32,    // Row of the binding where its offset stands.
  first_row: u32,      // Rows of the whole scan before those of this dispatch.
  count_index: u32,    // Word of its binding where the row count of the whole scan stands.
}

override WORKGROUP_WIDTH: u32 = 256;
override ROWS_PER_LANE: u32 = 1;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> output: array<Element>;
@group(0) @binding(2) var<storage, read> block_offsets: array<Element>;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn add_block_offsets(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let group = linear_group(group_id, group_counts);
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  let offset = block_offsets[parameters.sums_offset + group];
  let first_row = (group * WORKGROUP_WIDTH + lane) * ROWS_PER_LANE;
  if (first_row + 0u < rows) {
    let i_0 = parameters.output_offset + first_row + 0u;
    output[i_0] = combine(offset, output[i_0]);
  }
  if (first_row + 1u < rows) {
    let i_1 = parameters.output_offset + first_row + 1u;
    output[i_1] = combine(offset, output[i_1]);
  }
  if (first_row + 2u < rows) {
    let i_2 = parameters.output_offset + first_row + 2u;
    output[i_2] = combine(offset, output[i_2]);
  }
  if (first_row + 3u < rows) {
    let i_3 = parameters.output_offset + first_row + 3u;
    output[i_3] = combine(offset, output[i_3]);
  }
}
