// What each block adds up to is an item of the level above.
@group(0) @binding(2) var<storage, read_write> spine: array<Item>;

fn store_total(group: u32, total: Item) {
  spine[parameters.spine + group] = total;
}
