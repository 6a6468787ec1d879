// Results of items: what comes before each, in its place.
fn store_result(row: u32, before: Item, loaded: Row) {
  items[parameters.input + row] = before;
}
