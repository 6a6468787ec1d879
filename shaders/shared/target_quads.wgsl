// The words of output rows, also four at a time.
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;

fn store_word(at: Place, k: u32, word: u32) {
  output[(at + k) / 4u][(at + k) % 4u] = word;
}

fn store_quad(at: Place, k: u32, quad: vec4u) {
  output[at + k] = quad;
}
