  first_row: u32,      // Rows of the whole scan before those of this dispatch.
  count_index: u32,    // Word of its binding where the row count of the whole scan stands.
