// The low words of input rows, and their high words where the output's go, row for row.
@group(0) @binding(3) var<storage, read> input: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  if (k == 0u) {
    return input[at.x];
  }
  return output_high[at.y];
}
