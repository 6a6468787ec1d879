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
// The lesser by the fragment in slot `order`.
fn identity() -> Element {
  return greatest();
}
fn combine(a: Element, b: Element) -> Element {
  return select(a, b, is_less(b, a));
}
// Order of u32.
fn least() -> Element {
  return 0u;
}
fn greatest() -> Element {
  return 0xffffffffu;
}
fn is_less(a: Element, b: Element) -> bool {
  return a < b;
}
fn is_greater(a: Element, b: Element) -> bool {
  return is_less(b, a);
}
// Elements are integer keys of f32 rows, one for each of their bit patterns, in the order of a
// minimum, since comparisons of floats may treat NaN, -0.0 and subnormals as the device pleases:
// -0.0 is less than +0.0, and, turned round by the number of NaNs of one sign, all NaNs are
// before every number: NaN propagates. The key of the infinity is the identity of integers.
fn encode(row: Element) -> Element {
  return select(row | 0x80000000u, ~row, (row >> 31u) != 0u) + 0x007fffffu;
}
fn decode(element: Element) -> Element {
  let key = element - 0x007fffffu;
  return select(~key, key & 0x7fffffffu, (key >> 31u) != 0u);
}
// What blocks add up without segments: elements.
alias Item = Element;

fn identity_item() -> Item {
  return identity();
}

fn combine_items(a: Item, b: Item) -> Item {
  return combine(a, b);
}

// What a row has before it, given what the rows before it add up to.
fn entering(before: Item) -> Element {
  return before;
}

fn start_item(start: Element) -> Item {
  return start;
}
// Rows of the scan itself, without segments.
alias Row = Element;

override IS_INCLUSIVE: bool = false;
override IS_REVERSE: bool = false;

fn absent_row() -> Row {
  return identity();
}

fn load_row(row: u32) -> Row {
  return load_element(row);
}

fn item_of(row: Row) -> Item {
  return row;
}

fn result_of(before: Item, row: Row) -> Element {
  return select(before, combine(before, row), IS_INCLUSIVE);
}

fn load_rows(first: u32, rows: u32) -> Rows {
  let four = in_scan_order(load_four(first, rows));
  return Rows(four.a, four.b, four.c, four.d);
}
// Input rows word by word: whatever their alignment.
alias Unit = u32;

fn load_element(row: u32) -> Element {
  let at = input_place(row);
  return encode(Element(
      input_at(at, 0u),
  ));
}

// Rows first to first + 3; those that are not below `rows` are the identity.
fn load_four(first: u32, rows: u32) -> Four {
  var four = Four(identity(), identity(), identity(), identity());
  if (first < rows) {
    four.a = load_element(first);
  }
  if (first + 1u < rows) {
    four.b = load_element(first + 1u);
  }
  if (first + 2u < rows) {
    four.c = load_element(first + 2u);
  }
  if (first + 3u < rows) {
    four.d = load_element(first + 3u);
  }
  return four;
}
// Input rows in a buffer of their own.
@group(0) @binding(3) var<storage, read> input: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  return input[at + k];
}
// Output rows word by word: whatever their alignment.

fn load_result(row: u32) -> Element {
  let at = output_place(row);
  return encode(Element(
      output_at(at, 0u),
  ));
}

fn store_element(row: u32, element: Element) {
  let at = output_place(row);
  let decoded = decode(element);
  store_word(at, 0u, word_of(decoded, 0u));
}

// Rows first to first + 3, of which those below `rows` are stored.
fn store_four(first: u32, rows: u32, four: Four) {
  if (first < rows) {
    store_element(first, four.a);
  }
  if (first + 1u < rows) {
    store_element(first + 1u, four.b);
  }
  if (first + 2u < rows) {
    store_element(first + 2u, four.c);
  }
  if (first + 3u < rows) {
    store_element(first + 3u, four.d);
  }
}
// The words of output rows, one by one.
@group(0) @binding(1) var<storage, read_write> output: array<u32>;

fn output_at(at: Place, k: u32) -> u32 {
  return output[at + k];
}

fn store_word(at: Place, k: u32, word: u32) {
  output[at + k] = word;
}
// Results of rows of the scan itself.
fn store_result(row: u32, before: Item, loaded: Row) {
  store_element(row, result_of(before, loaded));
}
// The rows have no flags.
// Every operand is one run of rows.
alias Place = u32;

fn input_place(row: u32) -> Place {
  return parameters.input + row * ELEMENT_WORDS;
}

fn output_place(row: u32) -> Place {
  return parameters.output + row * ELEMENT_WORDS;
}

fn flag_word(row: u32) -> u32 {
  return parameters.flags + row;
}

// Word k of a row at this place: the quad that it is in, as input_at takes it, and where there.
fn quad_of(at: Place, k: u32) -> Place {
  return (at + k) / 4u - k;
}

fn place_in_quad(at: Place, k: u32) -> u32 {
  return (at + k) % 4u;
}
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
