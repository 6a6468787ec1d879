// Rows of two words, low and high, which lie apart: a vector holds one word of four rows.
alias Element = vec2u;

override ELEMENT_WORDS: u32 = 2;

fn word_of(element: Element, k: u32) -> u32 {
  return element[k];
}

fn unpack(packed: Packed) -> Four {
  let low = packed.word_0;
  let high = packed.word_1;
  return Four(vec2u(low.x, high.x), vec2u(low.y, high.y), vec2u(low.z, high.z),
              vec2u(low.w, high.w));
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a.x, four.b.x, four.c.x, four.d.x),
                vec4u(four.a.y, four.b.y, four.c.y, four.d.y));
}
