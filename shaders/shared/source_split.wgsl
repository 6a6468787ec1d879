// The low and the high words of input rows, in bindings of their own.
@group(0) @binding(3) var<storage, read> input: array<Unit>;
@group(0) @binding(9) var<storage, read> input_high: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  if (k == 0u) {
    return input[at.x];
  }
  return input_high[at.y];
}
