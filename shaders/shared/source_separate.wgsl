// Input rows in a buffer of their own.
@group(0) @binding(3) var<storage, read> input: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  return input[at + k];
}
