// All rows of a block are open to what enters it, or this is the only block.
fn note_row(group: u32, position: u32, before: Item, row: Row) {
}

fn note_total(group: u32, total: Item) {
}
