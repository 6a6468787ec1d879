// Operands are cut into chunks: a run says where its rows stand, in words of the bindings.
struct Run {
  first_row: u32,
  input: u32,
  output: u32,
  flags: u32,
}

alias Place = u32;

fn input_place(row: u32) -> Place {
  let run = run_of(row);
  return run.input + (row - run.first_row) * ELEMENT_WORDS;
}

fn output_place(row: u32) -> Place {
  let run = run_of(row);
  return run.output + (row - run.first_row) * ELEMENT_WORDS;
}

fn flag_word(row: u32) -> u32 {
  let run = run_of(row);
  return run.flags + (row - run.first_row);
}
