// Every operand is one run of rows.
alias Place = u32;

fn input_place(row: u32) -> Place {
  return parameters.input + row * ELEMENT_WORDS;
}

fn output_place(row: u32) -> Place {
  return parameters.output + row * ELEMENT_WORDS;
}

fn flag_word(row: u32) -> u32 {
  return parameters.flags + row;
}

// Word k of a row at this place: the quad that it is in, as input_at takes it, and where there.
fn quad_of(at: Place, k: u32) -> Place {
  return (at + k) / 4u - k;
}

fn place_in_quad(at: Place, k: u32) -> u32 {
  return (at + k) % 4u;
}
