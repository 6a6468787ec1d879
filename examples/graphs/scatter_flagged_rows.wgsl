// kept = the values whose flag is set, each at its offset, which no other has; count = how many.
// Called by select_rows.json.

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read_write> kept: array<u32>;
@group(0) @binding(4) var<storage, read_write> count: array<u32>;

@compute @workgroup_size(64)
fn scatter_flagged_rows(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  let rows = arrayLength(&values);
  if (i >= rows) {
    return;
  }
  if (flags[i] != 0u) {
    kept[offsets[i]] = values[i];
  }
  if (i == rows - 1u) {
    count[0] = offsets[i] + flags[i];
  }
}
