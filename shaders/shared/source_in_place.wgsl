// Input rows within the output's binding: the very same rows, or a disjoint range beside them.
fn load_row(row: u32) -> Element {
  return output[parameters.input_offset + row];
}
