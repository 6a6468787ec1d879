// reduce_ranges: the total of each range of rows, from its offset to the next. A lane each: it goes
// up the levels of totals over tiles that the range holds whole, so that no range, however long,
// takes more than some thousand steps (a query of a segment tree with wide nodes).
// One pass, after reduce_tiles has made the levels: reads what no tile holds whole of every range.

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
// The greater by the fragment in slot `order`.
fn identity() -> Element {
  return least();
}
fn combine(a: Element, b: Element) -> Element {
  return select(a, b, is_greater(b, a));
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
// maximum, since comparisons of floats may treat NaN, -0.0 and subnormals as the device pleases:
// -0.0 is less than +0.0, and, turned round by the number of NaNs of one sign, all NaNs are
// behind every number: NaN propagates. The key of the infinity is the identity of integers.
fn encode(row: Element) -> Element {
  return select(row | 0x80000000u, ~row, (row >> 31u) != 0u) - 0x007fffffu;
}
fn decode(element: Element) -> Element {
  let key = element + 0x007fffffu;
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
// Input rows four at a time, from a multiple of 16 bytes on. The binding holds whole quads: rows
// behind the last one that counts are there, if not the scan's.
alias Unit = vec4u;

fn load_element(row: u32) -> Element {
  let at = input_place(row);
  return encode(Element(
      input_at(quad_of(at, 0u), 0u)[place_in_quad(at, 0u)],
  ));
}

// Rows first to first + 3; those that are not below `rows` are the identity.
fn load_four(first: u32, rows: u32) -> Four {
  var four = Four(identity(), identity(), identity(), identity());
  if (first < rows) {
    let at = input_place(first) / 4u;
    let loaded = unpack(Packed(
        input_at(at, 0u),
    ));
    four.a = encode(loaded.a);
    four.b = select(identity(), encode(loaded.b), first + 1u < rows);
    four.c = select(identity(), encode(loaded.c), first + 2u < rows);
    four.d = select(identity(), encode(loaded.d), first + 3u < rows);
  }
  return four;
}
// Input rows in a buffer of their own.
@group(0) @binding(3) var<storage, read> input: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  return input[at + k];
}
// Totals of segments, those that the output's binding holds: a dispatch a binding.

// Where a segment's total stands; other segments are not to be asked for.
fn segment_place(segment: u32) -> Place {
  return parameters.output + (segment - parameters.first_segment) * ELEMENT_WORDS;
}

fn load_segment(segment: u32) -> Element {
  let at = segment_place(segment);
  return encode(Element(
      output_at(at, 0u),
  ));
}

fn store_segment(segment: u32, total: Element) {
  if (segment - parameters.first_segment < parameters.segment_count) {
    let at = segment_place(segment);
    let decoded = decode(total);
    store_word(at, 0u, word_of(decoded, 0u));
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

override WORKGROUP_WIDTH: u32 = 256;
override TILE_ROWS: u32 = 256;

@group(0) @binding(5) var<storage, read> offsets: array<u32>;
// Where there are fewer levels the last are not asked for.
@group(0) @binding(2) var<storage, read> totals_1: array<Item>;
@group(0) @binding(6) var<storage, read> totals_2: array<Item>;
@group(0) @binding(7) var<storage, read> totals_3: array<Item>;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn reduce_ranges(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let group = linear_group(group_id, group_counts);
  // Before the product below could wrap.
  if (group > (parameters.segment_count - 1u) / WORKGROUP_WIDTH) {
    return;
  }
  let at = group * WORKGROUP_WIDTH + lane;
  if (at >= parameters.segment_count) {
    return;
  }
  let segment = parameters.first_segment + at;
  let rows = live_rows();
  let start = offsets[parameters.flags + at];
  let first = row_of_dispatch(start, rows);
  let last = row_of_dispatch(offsets[parameters.flags + at + 1u], rows);
  if (first < last) {
    enter_rows(first, last - 1u);
    var total = total_of(first, last);
    if (start < parameters.first_row) {
      total = combine(load_segment(segment), total);
    }
    store_segment(segment, total);
  } else if (parameters.first_row == 0u) {
    store_segment(segment, identity());
  }
}

// A row of the whole operation as one of this dispatch, or the end that it lies beyond.
fn row_of_dispatch(row: u32, rows: u32) -> u32 {
  return min(row - min(row, parameters.first_row), rows);
}

// Tiles that stick out on the left are taken in going up, those on the right are kept until the
// end, so that the order stays.
fn total_of(first_row: u32, last_row: u32) -> Element {
  var first = first_row;
  var last = last_row;
  var left = identity();
  var right = identity();
  var level = 0u;
  while (level < parameters.levels && last - first > TILE_ROWS) {
    let whole = (first - 1u) / TILE_ROWS + 1u;
    let first_whole = select(whole, 0u, first == 0u);
    let last_whole = last / TILE_ROWS;
    left = fold(level, first, first_whole * TILE_ROWS, left);
    right = combine(fold(level, last_whole * TILE_ROWS, last, identity()), right);
    first = first_whole;
    last = last_whole;
    level += 1u;
  }
  return combine(fold(level, first, last, left), right);
}

fn fold(level: u32, first: u32, last: u32, before: Element) -> Element {
  if (level == 0u) {
    return fold_rows(first, last, before);
  }
  var total = before;
  for (var at = first; at < last; at += 1u) {
    total = combine(total, total_at(level, at));
  }
  return total;
}

// Rows four at a time from the first whole quad on: lanes read far from each other.
fn fold_rows(first: u32, last: u32, before: Element) -> Element {
  var total = before;
  var at = first;
  while (at < last && at % 4u != 0u) {
    total = combine(total, load_element(at));
    at += 1u;
  }
  while (at < last) {
    let four = load_four(at, last);
    total = combine(combine(combine(combine(total, four.a), four.b), four.c), four.d);
    at += min(4u, last - at);
  }
  return total;
}

fn total_at(level: u32, at: u32) -> Element {
  switch level {
    case 1u: {
      return totals_1[at];
    }
    case 2u: {
      return totals_2[at];
    }
    default: {
      return totals_3[at];
    }
  }
}
