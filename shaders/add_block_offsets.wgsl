// add_block_offsets: adds to every row what all blocks before its own add up to.
// One pass: reads and writes every row, reads one word a block. Path `chained` runs it once a
// level, from the topmost but one down to the rows.

#import linear_group
#slot element element_u32
#slot operator op_add
#slot row_count row_count_planned

struct Parameters {
  row_count: u32,      // Rows of this dispatch.
  group_count: u32,    // Blocks of this dispatch; launched groups beyond them do nothing.
  output_offset: u32,  // Row of the binding where the first block starts.
  sums_offset: u32,    // Row of the binding where its offset stands.
  #slot more_parameters parameters_end
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
  #repeat k ROWS_PER_LANE
  if (first_row + ${k}u < rows) {
    let i_${k} = parameters.output_offset + first_row + ${k}u;
    output[i_${k}] = combine(offset, output[i_${k}]);
  }
  #end
}
