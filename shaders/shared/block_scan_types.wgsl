// What a block scan gives each lane.
struct BlockScan {
  before: Item,   // What the lanes before it add up to,
  through: Item,  // and with its own.
}

// What a scan by the lanes that go through a round together gives each of them.
struct RoundScan {
  before: Item,  // What the lanes before it add up to,
  total: Item,   // and all of them.
}
