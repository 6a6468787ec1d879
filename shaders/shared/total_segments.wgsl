// What the only tile there is adds up to: the last segment's total, and the number of segments.
@group(0) @binding(6) var<storage, read_write> counted: array<u32>;

fn store_total(group: u32, total: Item) {
  counted[parameters.counted] = total.starts;
  if (total.starts > 0u) {
    store_segment(total.starts - 1u, total.value);
  }
}
