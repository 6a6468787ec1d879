// reduce_tiles: the total of each tile of 4 * WORKGROUP_WIDTH * ROUNDS rows.
// One pass: reads every row once, writes one item a tile. Path `reduce-then-scan` runs it first, a
// reduction runs it on the rows, then on the totals, until one is left.
// Portable: the lanes of the workgroup go through a round together, in workgroup memory.

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
// How the rows of a tile, ROUNDS rounds of four rows a lane, lie in the scan's own order.

// The first of the four rows at a position, counted in fours.
fn quad_at(first_row: u32, position: u32) -> u32 {
  return first_row + 4u * select(position, WORKGROUP_WIDTH * ROUNDS - 1u - position, IS_REVERSE);
}

fn item_of_rows(loaded: Rows) -> Item {
  return combine_items(combine_items(item_of(loaded.a), item_of(loaded.b)),
                       combine_items(item_of(loaded.c), item_of(loaded.d)));
}
// The body of reduce_tiles in both variants: a tile is ROUNDS rounds of four rows a lane. A kernel
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
// Rows of the scan itself, with a flag each. Forward a flag starts a segment; in reverse it ends
// one, in the direction of the scan: the row belongs to what is before it, and nothing after it
// sees either.
struct Row {
  value: Element,
  starts: u32,
}

override IS_INCLUSIVE: bool = false;
override IS_REVERSE: bool = false;
// The first row of all starts a segment, whatever its flag.
override FIRST_STARTS: bool = false;

fn absent_row() -> Row {
  return Row(identity(), 0u);
}

fn load_row(row: u32) -> Row {
  return Row(load_element(row), load_flag(row));
}

fn item_of(row: Row) -> Item {
  return Item(select(row.value, identity(), IS_REVERSE && row.starts > 0u), row.starts);
}

fn result_of(before: Item, row: Row) -> Element {
  let is_start = !IS_REVERSE && row.starts > 0u;
  let start = select(entering(before), segment_start(), is_start);
  return select(start, combine(start, row.value), IS_INCLUSIVE);
}

fn load_rows(first: u32, rows: u32) -> Rows {
  let four = in_scan_order(load_four(first, rows));
  var physical = load_flags(first, rows);
  if (FIRST_STARTS && first < rows && first + parameters.first_row == 0u) {
    physical.x = 1u;
  }
  let flags = select(physical, physical.wzyx, vec4<bool>(IS_REVERSE));
  return Rows(Row(four.a, flags.x), Row(four.b, flags.y), Row(four.c, flags.z),
              Row(four.d, flags.w));
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
// Flags of rows one by one: 1 where it is set.
@group(0) @binding(5) var<storage, read> flags: array<u32>;

fn load_flag(row: u32) -> u32 {
  return select(0u, 1u, flags[flag_word(row)] != 0u);
}

// Of rows first to first + 3; 0 for those that are not below `rows`.
fn load_flags(first: u32, rows: u32) -> vec4u {
  var marks = vec4u();
  if (first < rows) {
    marks.x = load_flag(first);
  }
  if (first + 1u < rows) {
    marks.y = load_flag(first + 1u);
  }
  if (first + 2u < rows) {
    marks.z = load_flag(first + 2u);
  }
  if (first + 3u < rows) {
    marks.w = load_flag(first + 3u);
  }
  return marks;
}
// Operands are cut into chunks: a run says where its rows stand, in words of the bindings.
struct Run {
  first_row: u32,
  input: u32,
  output: u32,
  flags: u32,
}

alias Place = u32;

fn input_place(row: u32) -> Place {
  let run = run_of(row);
  return run.input + (row - run.first_row) * ELEMENT_WORDS;
}

fn output_place(row: u32) -> Place {
  let run = run_of(row);
  return run.output + (row - run.first_row) * ELEMENT_WORDS;
}

fn flag_word(row: u32) -> u32 {
  let run = run_of(row);
  return run.flags + (row - run.first_row);
}
// A table of the runs of rows that lie within one chunk of every operand.
@group(0) @binding(8) var<storage, read> runs: array<Run>;

// The runs that the rows of this workgroup lie in.
var<private> first_run: u32;
var<private> last_run: u32;

// The last of the runs low to high that starts at or below the row.
fn find_run(row: u32, first: u32, last: u32) -> u32 {
  var low = first;
  var high = last;
  while (low < high) {
    let middle = (low + high + 1u) / 2u;
    if (runs[parameters.runs + middle].first_row <= row) {
      low = middle;
    } else {
      high = middle - 1u;
    }
  }
  return low;
}

// Every row asked for later is one of `first` to `last`.
fn enter_rows(first: u32, last: u32) {
  first_run = find_run(first, 0u, parameters.run_count - 1u);
  last_run = find_run(last, first_run, parameters.run_count - 1u);
}

fn run_of(row: u32) -> Run {
  return runs[parameters.runs + find_run(row, first_run, last_run)];
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
// What each block adds up to is an item of the level above.
@group(0) @binding(2) var<storage, read_write> spine: array<Item>;

fn store_total(group: u32, total: Item) {
  spine[parameters.spine + group] = total;
}

override WORKGROUP_WIDTH: u32 = 256;
override ROUNDS: u32 = 1;

fn reduce_tile(lane: u32, group: u32) {
  // Uniform, before any barrier, and before the product below could wrap.
  if (group >= parameters.group_count) {
    return;
  }
  let rows = live_rows();
  let first_row = group * (4u * WORKGROUP_WIDTH * ROUNDS);
  let tile_rows = min(4u * WORKGROUP_WIDTH * ROUNDS, rows - min(rows, first_row));
  enter_rows(first_row, first_row + max(tile_rows, 1u) - 1u);

  // Rows beyond the end are the identity: a tail guard selects values, never who reaches a barrier.
  let row_0 = quad_at(first_row, round_position(lane, 0u, ROUNDS));
  let rows_0 = load_rows(row_0, rows);
  var total = identity_item();
  total = combine_items(total, reduce_round(lane, item_of_rows(rows_0)));

  total = tile_total(lane, total);
  if (lane == WORKGROUP_WIDTH - 1u) {
    store_total(group, total);
  }
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
// The rounds of a tile, portable: all lanes of the workgroup scan a round together. There is one
// round: another would store to the ladder while this one's totals are read.
fn round_position(lane: u32, round: u32, rounds: u32) -> u32 {
  return round * WORKGROUP_WIDTH + lane;
}

fn scan_round(lane: u32, value: Item) -> RoundScan {
  let scanned = block_scan(lane, value);
  return RoundScan(scanned.before, ladder[WORKGROUP_WIDTH - 1u]);
}

fn reduce_round(lane: u32, value: Item) -> Item {
  return scan_round(lane, value).total;
}

// The lanes that go through a round together are all there are.
fn tile_total(lane: u32, total: Item) -> Item {
  return total;
}

fn carry_before(total: Item) -> Item {
  return identity_item();
}

@compute @workgroup_size(WORKGROUP_WIDTH)
fn reduce_tiles(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  reduce_tile(lane, linear_group(group_id, group_counts));
}
