// The low and the high words of output rows, one by one.
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(10) var<storage, read_write> output_high: array<u32>;

fn output_at(at: Place, k: u32) -> u32 {
  if (k == 0u) {
    return output[at.x];
  }
  return output_high[at.y];
}

fn store_word(at: Place, k: u32, word: u32) {
  if (k == 0u) {
    output[at.x] = word;
  } else {
    output_high[at.y] = word;
  }
}
