// Of values that repeat every `width` lanes, one of each. A butterfly: at each distance a lane
// pairs with the one across, lower lanes to the left.
@diagnostic(off, subgroup_uniformity)
fn repeated_total(value: Item, width: u32) -> Item {
  var total = value;
  for (var distance = 1u; distance < width; distance <<= 1u) {
    let other = lane_across(total, distance);
    if ((lane_in_subgroup & distance) == 0u) {
      total = combine_items(total, other);
    } else {
      total = combine_items(other, total);
    }
  }
  return total;
}
