// Addition across a subgroup, in the order of its lanes.
fn subgroup_inclusive(value: Element) -> Element {
  return subgroupInclusiveAdd(value);
}
fn subgroup_exclusive(value: Element) -> Element {
  return subgroupExclusiveAdd(value);
}
fn subgroup_total(value: Element) -> Element {
  return subgroupAdd(value);
}
