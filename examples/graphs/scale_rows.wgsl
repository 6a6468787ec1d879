// scaled[i] = values[i] * factor + offset. Called by compute.json.

struct Options {
  factor: u32,
  offset: u32,
  unused: vec2<u32>,
}

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<uniform> options: Options;
@group(0) @binding(2) var<storage, read_write> scaled: array<u32>;

@compute @workgroup_size(64)
fn scale_rows(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i < arrayLength(&values)) {
    scaled[i] = values[i] * options.factor + options.offset;
  }
}
