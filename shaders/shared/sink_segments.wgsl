// Totals of segments, those that the output's binding holds: a dispatch a binding.

// Where a segment's total stands; other segments are not to be asked for.
fn segment_place(segment: u32) -> Place {
  return parameters.output + (segment - parameters.first_segment) * ELEMENT_WORDS;
}

fn load_segment(segment: u32) -> Element {
  let at = segment_place(segment);
  return encode(Element(
      #repeat k ELEMENT_WORDS
      output_at(at, ${k}u),
      #end
  ));
}

fn store_segment(segment: u32, total: Element) {
  if (segment - parameters.first_segment < parameters.segment_count) {
    let at = segment_place(segment);
    let decoded = decode(total);
    #repeat k ELEMENT_WORDS
    store_word(at, ${k}u, word_of(decoded, ${k}u));
    #end
  }
}
