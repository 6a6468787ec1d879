// Block scan by Hillis and Steele's ladder (1986), portable: log2(WORKGROUP_WIDTH) rounds with two
// barriers each. In a round of distance d each lane combines what lane - d has with its own.
var<workgroup> ladder: array<Item, WORKGROUP_WIDTH>;

fn block_scan(lane: u32, value: Item) -> BlockScan {
  ladder[lane] = value;
  workgroupBarrier();  // Parts the stores of the values from the reads of the first round.
  var through = value;
  for (var distance = 1u; distance < WORKGROUP_WIDTH; distance <<= 1u) {
    var before = identity_item();
    if (lane >= distance) {
      before = ladder[lane - distance];
    }
    through = combine_items(before, through);
    workgroupBarrier();  // Parts all reads of this round from its writes.
    ladder[lane] = through;
    workgroupBarrier();  // Parts all writes of this round from the reads of the next.
  }
  var before = identity_item();
  if (lane > 0u) {
    before = ladder[lane - 1u];
  }
  return BlockScan(before, through);
}
