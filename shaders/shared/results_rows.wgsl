// Every row has a result, in its place.
fn store_rows(first: u32, rows: u32, before: Item, loaded: Rows) {
  let before_b = combine_items(before, item_of(loaded.a));
  let before_c = combine_items(before_b, item_of(loaded.b));
  let before_d = combine_items(before_c, item_of(loaded.c));
  let results = Four(result_of(before, loaded.a), result_of(before_b, loaded.b),
                     result_of(before_c, loaded.c), result_of(before_d, loaded.d));
  store_four(first, rows, in_scan_order(results));
}
