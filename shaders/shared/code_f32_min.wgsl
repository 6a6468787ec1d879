// Elements are integer keys of f32 rows, one for each of their bit patterns, in the order of a
// minimum, since comparisons of floats may treat NaN, -0.0 and subnormals as the device pleases:
// -0.0 is less than +0.0, and, turned round by the number of NaNs of one sign, all NaNs are
// before every number: NaN propagates. The key of the infinity is the identity of integers.
fn encode(row: Element) -> Element {
  return select(row | 0x80000000u, ~row, (row >> 31u) != 0u) + 0x007fffffu;
}
fn decode(element: Element) -> Element {
  let key = element - 0x007fffffu;
  return select(~key, key & 0x7fffffffu, (key >> 31u) != 0u);
}
