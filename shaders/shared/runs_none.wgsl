// There is one run of rows.
fn enter_rows(first: u32, last: u32) {
}
