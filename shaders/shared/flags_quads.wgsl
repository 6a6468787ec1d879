// Flags of rows four at a time, from a multiple of 16 bytes on: 1 where a row's is set.
@group(0) @binding(5) var<storage, read> flags: array<vec4u>;

fn load_flag(row: u32) -> u32 {
  let at = parameters.flags + row;
  return select(0u, 1u, flags[at / 4u][at % 4u] != 0u);
}

// Of rows first to first + 3; 0 for those that are not below `rows`.
fn load_flags(first: u32, rows: u32) -> vec4u {
  var marks = vec4u();
  if (first < rows) {
    let is_set = flags[(parameters.flags + first) / 4u] != vec4u();
    let counts = vec4u(0u, 1u, 2u, 3u) < vec4u(rows - first);
    marks = select(vec4u(), vec4u(1u), is_set & counts);
  }
  return marks;
}
