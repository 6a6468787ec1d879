// Every segment has a result: what it adds up to, which is known where the next one starts. That of
// the last is known once all rows are.
fn store_rows(first: u32, rows: u32, before: Item, loaded: Rows) {
  let before_b = combine_items(before, item_of(loaded.a));
  let before_c = combine_items(before_b, item_of(loaded.b));
  let before_d = combine_items(before_c, item_of(loaded.c));
  end_segment(before, loaded.a);
  end_segment(before_b, loaded.b);
  end_segment(before_c, loaded.c);
  end_segment(before_d, loaded.d);
}

fn end_segment(before: Item, row: Row) {
  if (row.starts > 0u && before.starts > 0u) {
    store_segment(before.starts - 1u, before.value);
  }
}
