// flags[i] = 1 where values[i] is even, else 0. Called by select_rows.json.

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;

@compute @workgroup_size(64)
fn flag_even_rows(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i < arrayLength(&values)) {
    flags[i] = select(0u, 1u, values[i] % 2u == 0u);
  }
}
