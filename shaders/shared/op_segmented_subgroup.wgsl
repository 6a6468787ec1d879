// Any operator with segments across a subgroup, in the order of its lanes. The lanes know by a vote
// where segments start, so that only values travel: within 32 lanes, one word of the vote, a lane
// takes nothing from before its own segment's start. More lanes join their words one by one.
// The lanes of a subgroup agree on how many they are, which compilers cannot know: it is counted.
@diagnostic(off, subgroup_uniformity)
fn subgroup_scan(value: Item) -> BlockScan {
  let lane_in_word = lane_in_subgroup % 32u;
  let vote = vote_of_word(subgroupBallot(value.starts != 0u));
  let own = vote & (0xffffffffu >> (31u - lane_in_word));
  // The lane that this one's values reach back to.
  let first = lane_in_subgroup - lane_in_word + select(firstLeadingBit(own), 0u, own == 0u);
  var through = value.value;
  for (var distance = 1u; distance < lanes_of_subgroup; distance <<= 1u) {
    let other = subgroupShuffleUp(through, distance);
    if (lane_in_subgroup >= first + distance) {
      through = combine(other, through);
    }
  }
  var starts = own;
  for (var lanes = 32u; lanes < lanes_of_subgroup; lanes += 32u) {
    let other = item_of_lane(Item(through, starts), lanes - 1u);
    if (lane_in_subgroup / 32u == lanes / 32u) {
      through = select(combine(other.value, through), through, starts != 0u);
      starts |= other.starts;
    }
  }
  if (COUNTS_STARTS) {
    starts = subgroupInclusiveAdd(value.starts);
  }
  var before = Item(subgroupShuffleUp(through, 1u), subgroupShuffleUp(starts, 1u));
  if (lane_in_subgroup == 0u) {
    before = identity_item();
  }
  return BlockScan(before, Item(through, starts));
}

// The word of the vote that this lane's bit is in.
fn vote_of_word(vote: vec4u) -> u32 {
  let word = lane_in_subgroup / 32u;
  return select(select(vote.x, vote.y, word == 1u), select(vote.z, vote.w, word == 3u), word > 1u);
}

fn subgroup_total(value: Item) -> Item {
  return last_lane_of(subgroup_scan(value).through);
}

@diagnostic(off, subgroup_uniformity)
fn lane_across(item: Item, distance: u32) -> Item {
  return Item(subgroupShuffleXor(item.value, distance), subgroupShuffleXor(item.starts, distance));
}

@diagnostic(off, subgroup_uniformity)
fn item_of_lane(item: Item, lane: u32) -> Item {
  return Item(subgroupShuffle(item.value, lane), subgroupShuffle(item.starts, lane));
}

fn last_lane_of(item: Item) -> Item {
  return item_of_lane(item, lanes_of_subgroup - 1u);
}
