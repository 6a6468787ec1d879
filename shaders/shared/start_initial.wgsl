// The scan and its segments start from the initial value.
fn segment_start() -> Element {
  return encode(Element(
      #repeat k ELEMENT_WORDS
      parameters.initial_${k},
      #end
  ));
}

fn scan_start() -> Element {
  return segment_start();
}
