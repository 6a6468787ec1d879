// The workgroup's number in a dispatch that may be folded into three dimensions. The host launches
// at most a handful of groups beyond 2^32 / 256, so that the product cannot wrap.
fn linear_group(group_id: vec3u, group_counts: vec3u) -> u32 {
  return group_id.x + group_counts.x * (group_id.y + group_counts.y * group_id.z);
}
