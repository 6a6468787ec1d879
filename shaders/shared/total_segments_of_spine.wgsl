// What all tiles add up to, which the scan of the spine left: the last segment's total, and the
// number of segments.
@group(0) @binding(6) var<storage, read_write> counted: array<u32>;
@group(0) @binding(7) var<storage, read> last: array<Item>;

fn store_total(group: u32, total: Item) {
  if (group == 0u) {
    counted[parameters.counted] = last[0].starts;
    if (last[0].starts > 0u) {
      store_segment(last[0].starts - 1u, last[0].value);
    }
  }
}
