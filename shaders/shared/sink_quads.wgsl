// Output rows four at a time, from a multiple of 16 bytes on. Of the last quad only the words of
// rows that count are stored; no other invocation touches it.

fn store_element(row: u32, element: Element) {
  let at = output_place(row);
  let decoded = decode(element);
  #repeat k ELEMENT_WORDS
  store_word(at, ${k}u, word_of(decoded, ${k}u));
  #end
}

// Rows first to first + 3, of which those below `rows` are stored.
fn store_four(first: u32, rows: u32, four: Four) {
  if (first + 3u < rows) {
    let at = output_place(first) / 4u;
    let packed = pack(Four(decode(four.a), decode(four.b), decode(four.c), decode(four.d)));
    #repeat k ELEMENT_WORDS
    store_quad(at, ${k}u, packed.word_${k});
    #end
  } else if (first < rows) {
    store_element(first, four.a);
    if (first + 1u < rows) {
      store_element(first + 1u, four.b);
    }
    if (first + 2u < rows) {
      store_element(first + 2u, four.c);
    }
  }
}
