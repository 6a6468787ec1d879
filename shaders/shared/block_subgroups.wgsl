// Block scan by subgroup operations: each subgroup scans itself and leaves its total; after one
// barrier each subgroup adds up the totals before its own. Any power-of-two subgroup size: a lane
// takes its share of them, in order, so small subgroups loop and those of 16 and more take one
// step.
#slot subgroup_operator op_add_subgroup
#slot shuffle shuffle_none

var<private> subgroup: u32;
var<private> lane_in_subgroup: u32;
var<private> lanes_of_subgroup: u32;

// One item a subgroup; there are as many subgroups as lanes where a subgroup is one lane.
var<workgroup> subgroup_totals: array<Item, WORKGROUP_WIDTH>;

// Notes where this invocation is and returns its lane in the block, in subgroup order.
fn enter_subgroup(subgroup_id: u32, subgroup_lane: u32) -> u32 {
  subgroup = subgroup_id;
  lane_in_subgroup = subgroup_lane;
  lanes_of_subgroup = subgroupAdd(1u);
  return subgroup * lanes_of_subgroup + lane_in_subgroup;
}

// What the subgroups before this one add up to; `total` is the subgroup's own, in its last lane.
fn carry_before_subgroup(total: Item) -> Item {
  if (lane_in_subgroup == lanes_of_subgroup - 1u) {
    subgroup_totals[subgroup] = total;
  }
  workgroupBarrier();  // Parts the stores of the totals from their reads.
  // As many lanes as there are subgroups share the totals; where there are more lanes, they repeat.
  let subgroups = WORKGROUP_WIDTH / lanes_of_subgroup;
  let width = min(subgroups, lanes_of_subgroup);
  let share = subgroups / width;
  let first = (lane_in_subgroup & (width - 1u)) * share;
  var partial = identity_item();
  for (var i = first; i < min(first + share, subgroup); i += 1u) {
    partial = combine_items(partial, subgroup_totals[i]);
  }
  return repeated_total(partial, width);
}

fn block_scan(lane: u32, value: Item) -> BlockScan {
  let scanned = subgroup_scan(value);
  let carry = carry_before_subgroup(scanned.through);
  return BlockScan(combine_items(carry, scanned.before), combine_items(carry, scanned.through));
}
