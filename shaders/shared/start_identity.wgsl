// The scan and its segments start from nothing.
fn segment_start() -> Element {
  return identity();
}

fn scan_start() -> Element {
  return identity();
}
