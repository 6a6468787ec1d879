// Rows of two words; numbers of 64 bits have the low word first.
alias Element = vec2u;

override ELEMENT_WORDS: u32 = 2;

fn word_of(element: Element, k: u32) -> u32 {
  return element[k];
}

fn unpack(packed: Packed) -> Four {
  return Four(packed.word_0.xy, packed.word_0.zw, packed.word_1.xy, packed.word_1.zw);
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a, four.b), vec4u(four.c, four.d));
}
