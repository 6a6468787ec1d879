// Flags of rows one by one: 1 where it is set.
@group(0) @binding(5) var<storage, read> flags: array<u32>;

fn load_flag(row: u32) -> u32 {
  return select(0u, 1u, flags[flag_word(row)] != 0u);
}

// Of rows first to first + 3; 0 for those that are not below `rows`.
fn load_flags(first: u32, rows: u32) -> vec4u {
  var marks = vec4u();
  if (first < rows) {
    marks.x = load_flag(first);
  }
  if (first + 1u < rows) {
    marks.y = load_flag(first + 1u);
  }
  if (first + 2u < rows) {
    marks.z = load_flag(first + 2u);
  }
  if (first + 3u < rows) {
    marks.w = load_flag(first + 3u);
  }
  return marks;
}
