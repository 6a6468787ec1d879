// A block on its own.
fn block_carry(group: u32) -> Item {
  return identity_item();
}
