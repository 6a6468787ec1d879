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
  word_1: vec4u,
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

// Rows of two words, low and high, which lie apart: a vector holds one word of four rows.
alias Element = vec2u;

override ELEMENT_WORDS: u32 = 2;

fn word_of(element: Element, k: u32) -> u32 {
  return element[k];
}

fn unpack(packed: Packed) -> Four {
  let low = packed.word_0;
  let high = packed.word_1;
  return Four(vec2u(low.x, high.x), vec2u(low.y, high.y), vec2u(low.z, high.z),
              vec2u(low.w, high.w));
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a.x, four.b.x, four.c.x, four.d.x),
                vec4u(four.a.y, four.b.y, four.c.y, four.d.y));
}
// Addition modulo 2^64.
fn identity() -> Element {
  return vec2u();
}
fn combine(a: Element, b: Element) -> Element {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}
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
      input_at(quad_of(at, 1u), 1u)[place_in_quad(at, 1u)],
  ));
}

// Rows first to first + 3; those that are not below `rows` are the identity.
fn load_four(first: u32, rows: u32) -> Four {
  var four = Four(identity(), identity(), identity(), identity());
  if (first < rows) {
    let at = input_place(first) / 4u;
    let loaded = unpack(Packed(
        input_at(at, 0u),
        input_at(at, 1u),
    ));
    four.a = encode(loaded.a);
    four.b = select(identity(), encode(loaded.b), first + 1u < rows);
    four.c = select(identity(), encode(loaded.c), first + 2u < rows);
    four.d = select(identity(), encode(loaded.d), first + 3u < rows);
  }
  return four;
}
// The low and the high words of input rows, in bindings of their own.
@group(0) @binding(3) var<storage, read> input: array<Unit>;
@group(0) @binding(9) var<storage, read> input_high: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  if (k == 0u) {
    return input[at.x];
  }
  return input_high[at.y];
}
// The rows have no flags.
// Rows are split: low and high words stand in bindings of their own, each one run of rows.
alias Place = vec2u;

fn input_place(row: u32) -> Place {
  return vec2u(parameters.input, parameters.input_high) + row;
}

fn output_place(row: u32) -> Place {
  return vec2u(parameters.output, parameters.output_high) + row;
}

// Word k of a row at this place: the quad that it is in, as input_at takes it, and where there.
fn quad_of(at: Place, k: u32) -> Place {
  return at / 4u;
}

fn place_in_quad(at: Place, k: u32) -> u32 {
  return at[k] % 4u;
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
