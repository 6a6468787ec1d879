// The rounds of a tile by subgroup operations: a subgroup takes a run of rows, four a lane and
// round.
fn round_position(lane: u32, round: u32, rounds: u32) -> u32 {
  return (subgroup * rounds + round) * lanes_of_subgroup + lane_in_subgroup;
}

fn scan_round(lane: u32, value: Item) -> RoundScan {
  let scanned = subgroup_scan(value);
  return RoundScan(scanned.before, last_lane_of(scanned.through));
}

fn reduce_round(lane: u32, value: Item) -> Item {
  return subgroup_total(value);
}

// What the whole tile adds up to, in its last lane; `total` is what the subgroup does.
fn tile_total(lane: u32, total: Item) -> Item {
  if (lane_in_subgroup == lanes_of_subgroup - 1u) {
    subgroup_totals[subgroup] = total;
  }
  workgroupBarrier();  // Parts the stores of the totals from their reads.
  var sum = identity_item();
  if (lane == WORKGROUP_WIDTH - 1u) {
    for (var i = 0u; i <= subgroup; i += 1u) {
      sum = combine_items(sum, subgroup_totals[i]);
    }
  }
  return sum;
}

fn carry_before(total: Item) -> Item {
  return carry_before_subgroup(total);
}
