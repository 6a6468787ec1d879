// squares[i] = values[i]^2. Called by branch.json.

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> squares: array<u32>;

@compute @workgroup_size(64)
fn square_rows(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i < arrayLength(&values)) {
    squares[i] = values[i] * values[i];
  }
}
