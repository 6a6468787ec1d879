// The rows of the dispatch below a row count that earlier work left on the device. A count beyond
// them takes them all. Uniform: every lane reads the same word of a read-only buffer.
@group(0) @binding(4) var<storage, read> row_count: array<u32>;

fn live_rows() -> u32 {
  let count = row_count[parameters.count];
  return min(count - min(count, parameters.first_row), parameters.row_count);
}
