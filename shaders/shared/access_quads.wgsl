// Input rows four at a time, from a multiple of 16 bytes on. The binding holds whole quads: rows
// behind the last one that counts are there, if not the scan's.
alias Unit = vec4u;

fn load_element(row: u32) -> Element {
  let at = input_place(row);
  return encode(Element(
      #repeat k ELEMENT_WORDS
      input_at(quad_of(at, ${k}u), ${k}u)[place_in_quad(at, ${k}u)],
      #end
  ));
}

// Rows first to first + 3; those that are not below `rows` are the identity.
fn load_four(first: u32, rows: u32) -> Four {
  var four = Four(identity(), identity(), identity(), identity());
  if (first < rows) {
    let at = input_place(first) / 4u;
    let loaded = unpack(Packed(
        #repeat k ELEMENT_WORDS
        input_at(at, ${k}u),
        #end
    ));
    four.a = encode(loaded.a);
    four.b = select(identity(), encode(loaded.b), first + 1u < rows);
    four.c = select(identity(), encode(loaded.c), first + 2u < rows);
    four.d = select(identity(), encode(loaded.d), first + 3u < rows);
  }
  return four;
}
