// The words of output rows, one by one.
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

fn output_at(at: Place, k: u32) -> u32 {
  return output[at + k];
}

fn store_word(at: Place, k: u32, word: u32) {
  output[at + k] = word;
}
