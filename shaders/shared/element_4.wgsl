// Rows of four words.
alias Element = vec4u;

override ELEMENT_WORDS: u32 = 4;

fn word_of(element: Element, k: u32) -> u32 {
  return element[k];
}

fn unpack(packed: Packed) -> Four {
  return Four(packed.word_0, packed.word_1, packed.word_2, packed.word_3);
}

fn pack(four: Four) -> Packed {
  return Packed(four.a, four.b, four.c, four.d);
}
