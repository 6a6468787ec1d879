// Workgroup counts for fill_squares.wgsl, four rows each, as a kernel's own decision: words 1 to 3
// of `groups`. Called by indirect.json.

@group(0) @binding(0) var<storage, read> count: array<u32>;
@group(0) @binding(1) var<storage, read_write> groups: array<u32>;

@compute @workgroup_size(1)
fn workgroups_of_count() {
  groups[1] = (count[0] + 3u) / 4u;
  groups[2] = 1u;
  groups[3] = 1u;
}
