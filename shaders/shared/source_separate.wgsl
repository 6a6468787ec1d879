// Input rows in a buffer of their own.
@group(0) @binding(3) var<storage, read> input: array<Element>;

fn load_row(row: u32) -> Element {
  return input[parameters.input_offset + row];
}
