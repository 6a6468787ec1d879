// The low and the high words of output rows, also four at a time.
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;
@group(0) @binding(10) var<storage, read_write> output_high: array<vec4u>;

fn store_word(at: Place, k: u32, word: u32) {
  if (k == 0u) {
    output[at.x / 4u][at.x % 4u] = word;
  } else {
    output_high[at.y / 4u][at.y % 4u] = word;
  }
}

fn store_quad(at: Place, k: u32, quad: vec4u) {
  if (k == 0u) {
    output[at.x] = quad;
  } else {
    output_high[at.y] = quad;
  }
}
