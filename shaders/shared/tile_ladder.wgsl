// The rounds of a tile, portable: all lanes of the workgroup scan a round together. There is one
// round: another would store to the ladder while this one's totals are read.
fn round_position(lane: u32, round: u32, rounds: u32) -> u32 {
  return round * WORKGROUP_WIDTH + lane;
}

fn scan_round(lane: u32, value: Item) -> RoundScan {
  let scanned = block_scan(lane, value);
  return RoundScan(scanned.before, ladder[WORKGROUP_WIDTH - 1u]);
}

fn reduce_round(lane: u32, value: Item) -> Item {
  return scan_round(lane, value).total;
}

// The lanes that go through a round together are all there are.
fn tile_total(lane: u32, total: Item) -> Item {
  return total;
}

fn carry_before(total: Item) -> Item {
  return identity_item();
}
