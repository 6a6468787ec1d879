// The scan starts from what earlier work left on the device, its later segments from the initial
// value.
@group(0) @binding(6) var<storage, read> carry_in: array<u32>;

fn segment_start() -> Element {
  return encode(Element(
      #repeat k ELEMENT_WORDS
      parameters.initial_${k},
      #end
  ));
}

fn scan_start() -> Element {
  return encode(Element(
      #repeat k ELEMENT_WORDS
      carry_in[parameters.carry_in + ${k}u],
      #end
  ));
}
