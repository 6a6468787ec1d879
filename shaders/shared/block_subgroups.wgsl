// Block scan by subgroup operations: each subgroup scans itself and leaves its total; after one
// barrier each subgroup adds up the totals before its own. Any power-of-two subgroup size: a lane
// takes every size-th total, so small subgroups loop and those of 16 and more take one step.
#slot subgroup_operator op_add_subgroup

var<private> subgroup: u32;
var<private> lane_in_subgroup: u32;
var<private> lanes_of_subgroup: u32;

// One word a subgroup; there are as many subgroups as lanes where a subgroup is one lane.
var<workgroup> subgroup_totals: array<Element, WORKGROUP_WIDTH>;

// Notes where this invocation is and returns its lane in the block, in subgroup order.
fn enter_subgroup(subgroup_id: u32, subgroup_lane: u32) -> u32 {
  subgroup = subgroup_id;
  lane_in_subgroup = subgroup_lane;
  lanes_of_subgroup = subgroupAdd(1u);
  return subgroup * lanes_of_subgroup + lane_in_subgroup;
}

fn block_scan(lane: u32, value: Element) -> BlockScan {
  let before = subgroup_exclusive(value);
  let through = subgroup_inclusive(value);
  if (lane_in_subgroup == lanes_of_subgroup - 1u) {
    subgroup_totals[subgroup] = through;
  }
  workgroupBarrier();  // Parts the stores of the totals from their reads.
  var partial = identity();
  for (var i = lane_in_subgroup; i < subgroup; i += lanes_of_subgroup) {
    partial = combine(partial, subgroup_totals[i]);
  }
  let carry = subgroup_total(partial);
  return BlockScan(combine(carry, before), combine(carry, through));
}
