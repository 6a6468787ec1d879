// Output rows word by word: whatever their alignment.

fn load_result(row: u32) -> Element {
  let at = output_place(row);
  return encode(Element(
      #repeat k ELEMENT_WORDS
      output_at(at, ${k}u),
      #end
  ));
}

fn store_element(row: u32, element: Element) {
  let at = output_place(row);
  let decoded = decode(element);
  #repeat k ELEMENT_WORDS
  store_word(at, ${k}u, word_of(decoded, ${k}u));
  #end
}

// Rows first to first + 3, of which those below `rows` are stored.
fn store_four(first: u32, rows: u32, four: Four) {
  if (first < rows) {
    store_element(first, four.a);
  }
  if (first + 1u < rows) {
    store_element(first + 1u, four.b);
  }
  if (first + 2u < rows) {
    store_element(first + 2u, four.c);
  }
  if (first + 3u < rows) {
    store_element(first + 3u, four.d);
  }
}
