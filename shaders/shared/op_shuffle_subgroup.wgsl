// Any operator across a subgroup, in the order of its lanes: the ladder of block_ladder in
// registers. The lanes of a subgroup agree on how many they are, which compilers cannot know: it is
// counted.
@diagnostic(off, subgroup_uniformity)
fn subgroup_scan(value: Item) -> BlockScan {
  var through = value;
  for (var distance = 1u; distance < lanes_of_subgroup; distance <<= 1u) {
    let before = subgroupShuffleUp(through, distance);
    if (lane_in_subgroup >= distance) {
      through = combine_items(before, through);
    }
  }
  var before = subgroupShuffleUp(through, 1u);
  if (lane_in_subgroup == 0u) {
    before = identity_item();
  }
  return BlockScan(before, through);
}

fn subgroup_total(value: Item) -> Item {
  return repeated_total(value, lanes_of_subgroup);
}

@diagnostic(off, subgroup_uniformity)
fn lane_across(item: Item, distance: u32) -> Item {
  return subgroupShuffleXor(item, distance);
}

fn last_lane_of(item: Item) -> Item {
  return subgroupShuffle(item, lanes_of_subgroup - 1u);
}
