fn identity() -> Element { return vec3u(); }
fn combine(a: Element, b: Element) -> Element {
  return vec3u(a.xy + b.xy, a.z + b.z + a.x * b.y);
}

// add_block_offsets: combines every row with what enters its block.
// One pass: reads and writes every row, reads one item a block. Path `chained` runs it once a
// level, from the topmost but one down to the rows.

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
  word_1: vec4u,
  word_2: vec4u,
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

// Rows of three words.
alias Element = vec3u;

override ELEMENT_WORDS: u32 = 3;

fn word_of(element: Element, k: u32) -> u32 {
  return element[k];
}

fn unpack(packed: Packed) -> Four {
  return Four(packed.word_0.xyz, vec3u(packed.word_0.w, packed.word_1.xy),
              vec3u(packed.word_1.zw, packed.word_2.x), packed.word_2.yzw);
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a, four.b.x), vec4u(four.b.yz, four.c.xy), vec4u(four.c.z, four.d));
}
// The operator is the user's own and stands in front of the text.
// The operator asks for no order.
// Elements are what the rows hold.
fn encode(row: Element) -> Element {
  return row;
}
fn decode(element: Element) -> Element {
  return element;
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
// Rows of the scan itself, without segments: all are open to what enters their block.
alias Row = Element;

override IS_REVERSE: bool = false;

fn is_open(group: u32, at: u32) -> bool {
  return true;
}

fn add_offset(row: u32, before: Item) {
  store_element(row, combine(before, load_result(row)));
}
// Output rows word by word: whatever their alignment.

fn load_result(row: u32) -> Element {
  let at = output_place(row);
  return encode(Element(
      output_at(at, 0u),
      output_at(at, 1u),
      output_at(at, 2u),
  ));
}

fn store_element(row: u32, element: Element) {
  let at = output_place(row);
  let decoded = decode(element);
  store_word(at, 0u, word_of(decoded, 0u));
  store_word(at, 1u, word_of(decoded, 1u));
  store_word(at, 2u, word_of(decoded, 2u));
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
// What enters a block: what the scan starts from and all blocks before add up to.
@group(0) @binding(2) var<storage, read> spine: array<Item>;

fn block_carry(group: u32) -> Item {
  return spine[parameters.spine + group];
}

override WORKGROUP_WIDTH: u32 = 256;
override ROWS_PER_LANE: u32 = 1;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn add_block_offsets(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let group = linear_group(group_id, group_counts);
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  let first_row = group * WORKGROUP_WIDTH * ROWS_PER_LANE;
  if (first_row >= rows) {
    return;
  }
  enter_rows(first_row, min(first_row + WORKGROUP_WIDTH * ROWS_PER_LANE, rows) - 1u);
  let carry = block_carry(group);
  let at_0 = lane * ROWS_PER_LANE + 0u;
  if (first_row + at_0 < rows && is_open(group, at_0)) {
    add_offset(first_row + at_0, carry);
  }
}
