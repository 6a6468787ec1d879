// How the rows of a tile, ROUNDS rounds of four rows a lane, lie in the scan's own order.

// The first of the four rows at a position, counted in fours.
fn quad_at(first_row: u32, position: u32) -> u32 {
  return first_row + 4u * select(position, WORKGROUP_WIDTH * ROUNDS - 1u - position, IS_REVERSE);
}

fn item_of_rows(loaded: Rows) -> Item {
  return combine_items(combine_items(item_of(loaded.a), item_of(loaded.b)),
                       combine_items(item_of(loaded.c), item_of(loaded.d)));
}
