// scan_tiles: the scan of each tile of 4 * WORKGROUP_WIDTH * ROUNDS rows, from what enters it.
// One pass: reads every row once, writes every row, reads one item a tile. Path `reduce-then-scan`
// runs it last. Portable: the lanes of the workgroup scan a round through workgroup memory.

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
// The body of scan_tiles in both variants: a tile is ROUNDS rounds of four rows a lane, held in
// registers. A kernel that imports it also imports block_ladder or block_subgroups.

// Rows of two words; numbers of 64 bits have the low word first.
alias Element = vec2u;

override ELEMENT_WORDS: u32 = 2;

fn word_of(element: Element, k: u32) -> u32 {
  return element[k];
}

fn unpack(packed: Packed) -> Four {
  return Four(packed.word_0.xy, packed.word_0.zw, packed.word_1.xy, packed.word_1.zw);
}

fn pack(four: Four) -> Packed {
  return Packed(vec4u(four.a, four.b), vec4u(four.c, four.d));
}
// The lesser by the fragment in slot `order`.
fn identity() -> Element {
  return greatest();
}
fn combine(a: Element, b: Element) -> Element {
  return select(a, b, is_less(b, a));
}
// Order of i64: as of u64 with the signs' bits turned round.
fn least() -> Element {
  return vec2u(0u, 0x80000000u);
}
fn greatest() -> Element {
  return vec2u(0xffffffffu, 0x7fffffffu);
}
fn is_less(a: Element, b: Element) -> bool {
  let high_a = bitcast<i32>(a.y);
  let high_b = bitcast<i32>(b.y);
  return high_a < high_b || (high_a == high_b && a.x < b.x);
}
fn is_greater(a: Element, b: Element) -> bool {
  return is_less(b, a);
}
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
// Input rows in a buffer of their own.
@group(0) @binding(3) var<storage, read> input: array<Unit>;

fn input_at(at: Place, k: u32) -> Unit {
  return input[at + k];
}
// Output rows four at a time, from a multiple of 16 bytes on. Of the last quad only the words of
// rows that count are stored; no other invocation touches it.

fn store_element(row: u32, element: Element) {
  let at = output_place(row);
  let decoded = decode(element);
  store_word(at, 0u, word_of(decoded, 0u));
  store_word(at, 1u, word_of(decoded, 1u));
}

// Rows first to first + 3, of which those below `rows` are stored.
fn store_four(first: u32, rows: u32, four: Four) {
  if (first + 3u < rows) {
    let at = output_place(first) / 4u;
    let packed = pack(Four(decode(four.a), decode(four.b), decode(four.c), decode(four.d)));
    store_quad(at, 0u, packed.word_0);
    store_quad(at, 1u, packed.word_1);
  } else if (first < rows) {
    store_element(first, four.a);
    if (first + 1u < rows) {
      store_element(first + 1u, four.b);
    }
    if (first + 2u < rows) {
      store_element(first + 2u, four.c);
    }
  }
}
// The words of output rows, also four at a time.
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;

fn store_word(at: Place, k: u32, word: u32) {
  output[(at + k) / 4u][(at + k) % 4u] = word;
}

fn store_quad(at: Place, k: u32, quad: vec4u) {
  output[at + k] = quad;
}
// Every row has a result, in its place.
fn store_rows(first: u32, rows: u32, before: Item, loaded: Rows) {
  let before_b = combine_items(before, item_of(loaded.a));
  let before_c = combine_items(before_b, item_of(loaded.b));
  let before_d = combine_items(before_c, item_of(loaded.c));
  let results = Four(result_of(before, loaded.a), result_of(before_b, loaded.b),
                     result_of(before_c, loaded.c), result_of(before_d, loaded.d));
  store_four(first, rows, in_scan_order(results));
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
// What enters a block: what the scan starts from and all blocks before add up to.
@group(0) @binding(2) var<storage, read> spine: array<Item>;

fn block_carry(group: u32) -> Item {
  return spine[parameters.spine + group];
}
// Nobody asks what a block adds up to.
fn store_total(group: u32, total: Item) {
}

override WORKGROUP_WIDTH: u32 = 256;
override ROUNDS: u32 = 1;

fn scan_tile(lane: u32, group: u32) {
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
  let round_0 = scan_round(lane, item_of_rows(rows_0));
  let before_0 = combine_items(total, round_0.before);
  total = combine_items(total, round_0.total);

  let carry = combine_items(block_carry(group), carry_before(total));
  if (lane == WORKGROUP_WIDTH - 1u) {
    store_total(group, combine_items(carry, total));
  }
  store_rows(row_0, rows, combine_items(carry, before_0), rows_0);
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
fn scan_tiles(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  scan_tile(lane, linear_group(group_id, group_counts));
}
