// What enters a block: what the scan starts from and all blocks before add up to.
@group(0) @binding(2) var<storage, read> spine: array<Item>;

fn block_carry(group: u32) -> Item {
  return spine[parameters.spine + group];
}
