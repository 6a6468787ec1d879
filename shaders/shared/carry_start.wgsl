// What enters the only block there is: what the scan starts from.
fn block_carry(group: u32) -> Item {
  return start_item(scan_start());
}
