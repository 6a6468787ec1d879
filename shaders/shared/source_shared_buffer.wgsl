// Input rows in the output's buffer, too far from the output for one binding to hold both. WebGPU
// refuses read beside read_write on one buffer within a dispatch, but not two disjoint read_write.
@group(0) @binding(3) var<storage, read_write> input: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  return input[at + k];
}
