// Results of rows of the scan itself.
fn store_result(row: u32, before: Item, loaded: Row) {
  store_element(row, result_of(before, loaded));
}
