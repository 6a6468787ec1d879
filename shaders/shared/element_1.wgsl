// Rows of one word.
alias Element = u32;

override ELEMENT_WORDS: u32 = 1;

fn word_of(element: Element, k: u32) -> u32 {
  return element;
}

fn unpack(packed: Packed) -> Four {
  let w = packed.word_0;
  return Four(w.x, w.y, w.z, w.w);
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a, four.b, four.c, four.d));
}
