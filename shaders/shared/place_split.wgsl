// Rows are split: low and high words stand in bindings of their own, each one run of rows.
alias Place = vec2u;

fn input_place(row: u32) -> Place {
  return vec2u(parameters.input, parameters.input_high) + row;
}

fn output_place(row: u32) -> Place {
  return vec2u(parameters.output, parameters.output_high) + row;
}

// Word k of a row at this place: the quad that it is in, as input_at takes it, and where there.
fn quad_of(at: Place, k: u32) -> Place {
  return at / 4u;
}

fn place_in_quad(at: Place, k: u32) -> u32 {
  return at[k] % 4u;
}
