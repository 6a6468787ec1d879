// Rows of three words.
alias Element = vec3u;

override ELEMENT_WORDS: u32 = 3;

fn word_of(element: Element, k: u32) -> u32 {
  return element[k];
}

fn unpack(packed: Packed) -> Four {
  return Four(packed.word_0.xyz, vec3u(packed.word_0.w, packed.word_1.xy),
              vec3u(packed.word_1.zw, packed.word_2.x), packed.word_2.yzw);
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a, four.b.x), vec4u(four.b.yz, four.c.xy), vec4u(four.c.z, four.d));
}
