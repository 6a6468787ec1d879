// The scan starts from what earlier work left on the device, its later segments from nothing.
@group(0) @binding(6) var<storage, read> carry_in: array<u32>;

fn segment_start() -> Element {
  return identity();
}

fn scan_start() -> Element {
  return encode(Element(
      #repeat k ELEMENT_WORDS
      carry_in[parameters.carry_in + ${k}u],
      #end
  ));
}
