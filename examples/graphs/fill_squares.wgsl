// squares[i] = i^2 for as many rows as there are lanes. Called by indirect.json.

@group(0) @binding(0) var<storage, read_write> squares: array<u32>;

@compute @workgroup_size(4)
fn fill_squares(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i < arrayLength(&squares)) {
    squares[i] = i * i;
  }
}
