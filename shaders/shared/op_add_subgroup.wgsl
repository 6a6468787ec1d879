// Addition across a subgroup, in the order of its lanes.
fn subgroup_scan(value: Item) -> BlockScan {
  let before = subgroupExclusiveAdd(value);
  return BlockScan(before, before + value);
}
fn subgroup_total(value: Item) -> Item {
  return subgroupAdd(value);
}
// Of values that repeat every `width` lanes, one of each.
fn repeated_total(value: Item, width: u32) -> Item {
  return subgroupAdd(select(0u, value, lane_in_subgroup < width));
}
fn last_lane_of(value: Item) -> Item {
  return subgroupShuffle(value, lanes_of_subgroup - 1u);
}
