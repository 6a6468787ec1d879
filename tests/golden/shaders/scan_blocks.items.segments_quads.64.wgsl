// scan_blocks: the scan of each block of 256 rows on its own, and the total of each block.
// One pass: reads every row once, writes every row and one item a block. Path `chained` runs it on
// the rows, then on the totals of the blocks (in place), until one block is left; path
// `reduce-then-scan` on the totals of its tiles.
// Portable: the block scan is a two-barrier ladder in workgroup memory, 17 barriers at 256 lanes.

// The workgroup's number in a dispatch that may be folded into three dimensions. Below 2^32 for any
// shape the planner makes; callers compare it with their group count before they multiply it.
fn linear_group(group_id: vec3u, group_counts: vec3u) -> u32 {
  return group_id.x + group_counts.x * (group_id.y + group_counts.y * group_id.z);
}
// The parameter block of every kernel of the scan family. Places are in words of the operand's
// binding, those of items in items.
struct Parameters {
  row_count: u32,    // Rows of this dispatch.
  group_count: u32,  // Blocks of this dispatch; launched groups beyond them do nothing.
  input: u32,        // Where its first row stands,
  output: u32,       // where its result goes,
  flags: u32,        // and where its flag stands.
  input_high: u32,   // The same for high words, where rows are split: there `input` and `output`
  output_high: u32,  // are the low ones.
  spine: u32,        // Item of the first block.
  open: u32,         // The same for how many of its rows are open.
  first_row: u32,    // Rows of the whole operation before those of this dispatch.
  count: u32,        // Where the row count of the whole operation stands.
  carry_in: u32,
  carry_out: u32,
  runs: u32,         // The first run of the chunk table,
  run_count: u32,    // and how many there are.
  first_segment: u32,  // The first segment whose total the output's binding holds,
  segment_count: u32,  // and how many it holds.
  counted: u32,        // Where the number of segments goes.
  levels: u32,         // Levels of totals above the rows.
  initial_0: u32,    // The initial value.
  initial_1: u32,
  initial_2: u32,
  initial_3: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
// Four rows that follow each other: as elements in the order of their memory, as the vectors that
// hold them, and as a lane scans them.
struct Four {
  a: Element,
  b: Element,
  c: Element,
  d: Element,
}

struct Packed {
  word_0: vec4u,
}

struct Rows {
  a: Row,
  b: Row,
  c: Row,
  d: Row,
}

// From the order of memory to that of the scan, and back.
fn in_scan_order(four: Four) -> Four {
  return Four(select(four.a, four.d, IS_REVERSE), select(four.b, four.c, IS_REVERSE),
              select(four.c, four.b, IS_REVERSE), select(four.d, four.a, IS_REVERSE));
}
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
// The body of scan_blocks in both variants: rows in, block scan, rows and block total out. A kernel
// that imports it also imports block_ladder or block_subgroups.

// Rows of one word.
alias Element = u32;

override ELEMENT_WORDS: u32 = 1;

fn word_of(element: Element, k: u32) -> u32 {
  return element;
}

fn unpack(packed: Packed) -> Four {
  let w = packed.word_0;
  return Four(w.x, w.y, w.z, w.w);
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a, four.b, four.c, four.d));
}
// Addition modulo 2^32.
fn identity() -> Element {
  return 0u;
}
fn combine(a: Element, b: Element) -> Element {
  return a + b;
}
// The operator asks for no order.
// Elements are what the rows hold.
fn encode(row: Element) -> Element {
  return row;
}
fn decode(element: Element) -> Element {
  return element;
}
// What blocks add up to with segments: the running value since the last start among the rows, and
// whether there was one, or how many. Associative: a start in `b` hides all of `a` (Blelloch 1990,
// segmented scans as scans of pairs).
struct Item {
  value: Element,
  starts: u32,  // Not 0 if there was one.
}

override COUNTS_STARTS: bool = false;

fn identity_item() -> Item {
  return Item(identity(), 0u);
}

fn combine_items(a: Item, b: Item) -> Item {
  let starts = select(a.starts | b.starts, a.starts + b.starts, COUNTS_STARTS);
  return Item(select(combine(a.value, b.value), b.value, b.starts > 0u), starts);
}

// What a row has before it, given what the rows before it add up to. What enters the scan is in the
// value of rows without a start; what every later segment starts with is not.
fn entering(before: Item) -> Element {
  return select(before.value, combine(segment_start(), before.value), before.starts > 0u);
}

fn start_item(start: Element) -> Item {
  return Item(start, 0u);
}
// Rows of a level above the scan's own: what blocks add up to, replaced in place by what comes
// before each.
alias Row = Item;

override IS_REVERSE: bool = false;

@group(0) @binding(1) var<storage, read_write> items: array<Item>;

fn absent_row() -> Row {
  return identity_item();
}

fn load_row(row: u32) -> Row {
  return items[parameters.input + row];
}

fn item_of(row: Row) -> Item {
  return row;
}
// The rows are no elements of the caller's.
// The rows are no elements of the caller's.
// Nothing goes to rows of the caller's.
// Nothing goes to rows of the caller's.
// Results of items: what comes before each, in its place.
fn store_result(row: u32, before: Item, loaded: Row) {
  items[parameters.input + row] = before;
}
// The rows have no flags.
// The rows are no elements of the caller's.
// There is one run of rows.
fn enter_rows(first: u32, last: u32) {
}
// All rows of the dispatch, as its parameters say.
fn live_rows() -> u32 {
  return parameters.row_count;
}
// The scan and its segments start from nothing.
fn segment_start() -> Element {
  return identity();
}

fn scan_start() -> Element {
  return identity();
}
// A block on its own.
fn block_carry(group: u32) -> Item {
  return identity_item();
}
// What each block adds up to is an item of the level above.
@group(0) @binding(2) var<storage, read_write> spine: array<Item>;

fn store_total(group: u32, total: Item) {
  spine[parameters.spine + group] = total;
}
// All rows of a block are open to what enters it, or this is the only block.
fn note_row(group: u32, position: u32, before: Item, row: Row) {
}

fn note_total(group: u32, total: Item) {
}

override WORKGROUP_WIDTH: u32 = 256;
override ROWS_PER_LANE: u32 = 1;

fn scan_block(lane: u32, group: u32) {
  // Uniform, before any barrier, and before the product below could wrap.
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  let carry = block_carry(group);
  let first_row = group * WORKGROUP_WIDTH * ROWS_PER_LANE;
  // Uniform, too. A block beyond a row count adds nothing: whoever scans the totals need not know
  // the count.
  if (first_row >= rows) {
    if (lane == 0u) {
      store_total(group, carry);
    }
    return;
  }
  enter_rows(first_row, min(first_row + WORKGROUP_WIDTH * ROWS_PER_LANE, rows) - 1u);

  // Rows beyond the end are the identity: a tail guard selects values, never who reaches a barrier.
  var total = identity_item();
  let position_0 = lane * ROWS_PER_LANE + 0u;
  let row_0 = row_at(first_row, position_0);
  var loaded_0 = absent_row();
  if (row_0 < rows) {
    loaded_0 = load_row(row_0);
  }
  total = combine_items(total, item_of(loaded_0));
  let position_1 = lane * ROWS_PER_LANE + 1u;
  let row_1 = row_at(first_row, position_1);
  var loaded_1 = absent_row();
  if (row_1 < rows) {
    loaded_1 = load_row(row_1);
  }
  total = combine_items(total, item_of(loaded_1));
  let position_2 = lane * ROWS_PER_LANE + 2u;
  let row_2 = row_at(first_row, position_2);
  var loaded_2 = absent_row();
  if (row_2 < rows) {
    loaded_2 = load_row(row_2);
  }
  total = combine_items(total, item_of(loaded_2));
  let position_3 = lane * ROWS_PER_LANE + 3u;
  let row_3 = row_at(first_row, position_3);
  var loaded_3 = absent_row();
  if (row_3 < rows) {
    loaded_3 = load_row(row_3);
  }
  total = combine_items(total, item_of(loaded_3));

  let scanned = block_scan(lane, total);

  // The last lane, not the last valid row: it alone has seen the whole block.
  if (lane == WORKGROUP_WIDTH - 1u) {
    store_total(group, combine_items(carry, scanned.through));
    note_total(group, scanned.through);
  }
  var running = combine_items(carry, scanned.before);
  if (row_0 < rows) {
    store_result(row_0, running, loaded_0);
    note_row(group, position_0, running, loaded_0);
  }
  running = combine_items(running, item_of(loaded_0));
  if (row_1 < rows) {
    store_result(row_1, running, loaded_1);
    note_row(group, position_1, running, loaded_1);
  }
  running = combine_items(running, item_of(loaded_1));
  if (row_2 < rows) {
    store_result(row_2, running, loaded_2);
    note_row(group, position_2, running, loaded_2);
  }
  running = combine_items(running, item_of(loaded_2));
  if (row_3 < rows) {
    store_result(row_3, running, loaded_3);
    note_row(group, position_3, running, loaded_3);
  }
  running = combine_items(running, item_of(loaded_3));
}

// The row at a position of the scan's own order within a block.
fn row_at(first_row: u32, position: u32) -> u32 {
  return first_row + select(position, WORKGROUP_WIDTH * ROWS_PER_LANE - 1u - position, IS_REVERSE);
}
// Block scan by Hillis and Steele's ladder (1986), portable: log2(WORKGROUP_WIDTH) rounds with two
// barriers each. In a round of distance d each lane combines what lane - d has with its own.
var<workgroup> ladder: array<Item, WORKGROUP_WIDTH>;

fn block_scan(lane: u32, value: Item) -> BlockScan {
  ladder[lane] = value;
  workgroupBarrier();  // Parts the stores of the values from the reads of the first round.
  var through = value;
  for (var distance = 1u; distance < WORKGROUP_WIDTH; distance <<= 1u) {
    var before = identity_item();
    if (lane >= distance) {
      before = ladder[lane - distance];
    }
    through = combine_items(before, through);
    workgroupBarrier();  // Parts all reads of this round from its writes.
    ladder[lane] = through;
    workgroupBarrier();  // Parts all writes of this round from the reads of the next.
  }
  var before = identity_item();
  if (lane > 0u) {
    before = ladder[lane - 1u];
  }
  return BlockScan(before, through);
}

@compute @workgroup_size(WORKGROUP_WIDTH)
fn scan_blocks(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  scan_block(lane, linear_group(group_id, group_counts));
}
