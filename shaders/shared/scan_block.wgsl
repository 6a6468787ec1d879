// The body of scan_blocks in both variants: rows in, block scan, rows and block sum out. A kernel
// that imports it also imports block_ladder or block_subgroups, which give
// block_scan(lane, value): the combination of the lanes before `lane`, and with its own value.
// A row count on the device takes two slots: row_count_on_device, parameters_row_count.

#slot element element_u32
#slot operator op_add
#slot source source_separate
#slot row_count row_count_planned

struct Parameters {
  row_count: u32,      // Rows of this dispatch.
  group_count: u32,    // Blocks of this dispatch; launched groups beyond them do nothing.
  input_offset: u32,   // Row of the binding where the first block's input starts.
  output_offset: u32,  // The same for its output,
  sums_offset: u32,    // and for its sum.
  #slot more_parameters parameters_end
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
  #repeat k ROWS_PER_LANE
  var value_${k} = identity();
  if (first_row + ${k}u < rows) {
    value_${k} = load_row(first_row + ${k}u);
  }
  total = combine(total, value_${k});
  #end

  let scanned = block_scan(lane, total);

  // The last lane, not the last valid row: it alone has seen the whole block.
  if (lane == WORKGROUP_WIDTH - 1u) {
    block_sums[parameters.sums_offset + group] = scanned.through;
  }
  var running = scanned.before;
  #repeat k ROWS_PER_LANE
  let exclusive_${k} = running;
  running = combine(running, value_${k});
  if (first_row + ${k}u < rows) {
    output[parameters.output_offset + first_row + ${k}u] =
        select(exclusive_${k}, running, IS_INCLUSIVE);
  }
  #end
}
