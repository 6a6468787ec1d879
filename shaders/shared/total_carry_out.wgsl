// What the only block there is adds up to is the caller's.
@group(0) @binding(7) var<storage, read_write> carry_out: array<u32>;

fn store_total(group: u32, total: Item) {
  let element = decode(entering(total));
  #repeat k ELEMENT_WORDS
  carry_out[parameters.carry_out + ${k}u] = word_of(element, ${k}u);
  #end
}
