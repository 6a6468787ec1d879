// Input rows within the output's binding: the very same rows, or a disjoint range beside them.
fn input_at(at: Place, k: u32) -> Unit {
  return output[at + k];
}
