// Rows are split, and both their words cut into chunks: a run says where its rows stand, in words
// of the bindings.
struct Run {
  first_row: u32,
  input: u32,
  output: u32,
  input_high: u32,
  output_high: u32,
}

alias Place = vec2u;

fn input_place(row: u32) -> Place {
  let run = run_of(row);
  return vec2u(run.input, run.input_high) + (row - run.first_row);
}

fn output_place(row: u32) -> Place {
  let run = run_of(row);
  return vec2u(run.output, run.output_high) + (row - run.first_row);
}
