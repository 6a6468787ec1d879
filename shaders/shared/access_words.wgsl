// Input rows word by word: whatever their alignment.
alias Unit = u32;

fn load_element(row: u32) -> Element {
  let at = input_place(row);
  return encode(Element(
      #repeat k ELEMENT_WORDS
      input_at(at, ${k}u),
      #end
  ));
}

// Rows first to first + 3; those that are not below `rows` are the identity.
fn load_four(first: u32, rows: u32) -> Four {
  var four = Four(identity(), identity(), identity(), identity());
  if (first < rows) {
    four.a = load_element(first);
  }
  if (first + 1u < rows) {
    four.b = load_element(first + 1u);
  }
  if (first + 2u < rows) {
    four.c = load_element(first + 2u);
  }
  if (first + 3u < rows) {
    four.d = load_element(first + 3u);
  }
  return four;
}
