// The workgroup's number in a dispatch that may be folded into three dimensions. Below 2^32 for any
// shape the planner makes; callers compare it with their group count before they multiply it.
fn linear_group(group_id: vec3u, group_counts: vec3u) -> u32 {
  return group_id.x + group_counts.x * (group_id.y + group_counts.y * group_id.z);
}
