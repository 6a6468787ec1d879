// scan_tiles_subgroup: scan_tiles with subgroup operations; same result, one barrier.

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
// The body of scan_tiles in both variants: a tile is ROUNDS rounds of four rows a lane, held in
// registers. A kernel that imports it also imports block_ladder or block_subgroups.

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
// Output rows four at a time, from a multiple of 16 bytes on. Of the last quad only the words of
// rows that count are stored; no other invocation touches it.

fn store_element(row: u32, element: Element) {
  let at = output_place(row);
  let decoded = decode(element);
  store_word(at, 0u, word_of(decoded, 0u));
}

// Rows first to first + 3, of which those below `rows` are stored.
fn store_four(first: u32, rows: u32, four: Four) {
  if (first + 3u < rows) {
    let at = output_place(first) / 4u;
    let packed = pack(Four(decode(four.a), decode(four.b), decode(four.c), decode(four.d)));
    store_quad(at, 0u, packed.word_0);
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
// Flags of rows four at a time, from a multiple of 16 bytes on: 1 where a row's is set.
@group(0) @binding(5) var<storage, read> flags: array<vec4u>;

fn load_flag(row: u32) -> u32 {
  let at = parameters.flags + row;
  return select(0u, 1u, flags[at / 4u][at % 4u] != 0u);
}

// Of rows first to first + 3; 0 for those that are not below `rows`.
fn load_flags(first: u32, rows: u32) -> vec4u {
  var marks = vec4u();
  if (first < rows) {
    let is_set = flags[(parameters.flags + first) / 4u] != vec4u();
    let counts = vec4u(0u, 1u, 2u, 3u) < vec4u(rows - first);
    marks = select(vec4u(), vec4u(1u), is_set & counts);
  }
  return marks;
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
  let row_1 = quad_at(first_row, round_position(lane, 1u, ROUNDS));
  let rows_1 = load_rows(row_1, rows);
  var total = identity_item();
  let round_0 = scan_round(lane, item_of_rows(rows_0));
  let before_0 = combine_items(total, round_0.before);
  total = combine_items(total, round_0.total);
  let round_1 = scan_round(lane, item_of_rows(rows_1));
  let before_1 = combine_items(total, round_1.before);
  total = combine_items(total, round_1.total);

  let carry = combine_items(block_carry(group), carry_before(total));
  if (lane == WORKGROUP_WIDTH - 1u) {
    store_total(group, combine_items(carry, total));
  }
  store_rows(row_0, rows, combine_items(carry, before_0), rows_0);
  store_rows(row_1, rows, combine_items(carry, before_1), rows_1);
}
// Block scan by subgroup operations: each subgroup scans itself and leaves its total; after one
// barrier each subgroup adds up the totals before its own. Any power-of-two subgroup size: a lane
// takes its share of them, in order, so small subgroups loop and those of 16 and more take one
// step.
// Any operator with segments across a subgroup, in the order of its lanes. The lanes know by a vote
// where segments start, so that only values travel: within 32 lanes, one word of the vote, a lane
// takes nothing from before its own segment's start. More lanes join their words one by one.
// The lanes of a subgroup agree on how many they are, which compilers cannot know: it is counted.
@diagnostic(off, subgroup_uniformity)
fn subgroup_scan(value: Item) -> BlockScan {
  let lane_in_word = lane_in_subgroup % 32u;
  let vote = vote_of_word(subgroupBallot(value.starts != 0u));
  let own = vote & (0xffffffffu >> (31u - lane_in_word));
  // The lane that this one's values reach back to.
  let first = lane_in_subgroup - lane_in_word + select(firstLeadingBit(own), 0u, own == 0u);
  var through = value.value;
  for (var distance = 1u; distance < lanes_of_subgroup; distance <<= 1u) {
    let other = subgroupShuffleUp(through, distance);
    if (lane_in_subgroup >= first + distance) {
      through = combine(other, through);
    }
  }
  var starts = own;
  for (var lanes = 32u; lanes < lanes_of_subgroup; lanes += 32u) {
    let other = item_of_lane(Item(through, starts), lanes - 1u);
    if (lane_in_subgroup / 32u == lanes / 32u) {
      through = select(combine(other.value, through), through, starts != 0u);
      starts |= other.starts;
    }
  }
  if (COUNTS_STARTS) {
    starts = subgroupInclusiveAdd(value.starts);
  }
  var before = Item(subgroupShuffleUp(through, 1u), subgroupShuffleUp(starts, 1u));
  if (lane_in_subgroup == 0u) {
    before = identity_item();
  }
  return BlockScan(before, Item(through, starts));
}

// The word of the vote that this lane's bit is in.
fn vote_of_word(vote: vec4u) -> u32 {
  let word = lane_in_subgroup / 32u;
  return select(select(vote.x, vote.y, word == 1u), select(vote.z, vote.w, word == 3u), word > 1u);
}

fn subgroup_total(value: Item) -> Item {
  return last_lane_of(subgroup_scan(value).through);
}

@diagnostic(off, subgroup_uniformity)
fn lane_across(item: Item, distance: u32) -> Item {
  return Item(subgroupShuffleXor(item.value, distance), subgroupShuffleXor(item.starts, distance));
}

@diagnostic(off, subgroup_uniformity)
fn item_of_lane(item: Item, lane: u32) -> Item {
  return Item(subgroupShuffle(item.value, lane), subgroupShuffle(item.starts, lane));
}

fn last_lane_of(item: Item) -> Item {
  return item_of_lane(item, lanes_of_subgroup - 1u);
}
// Of values that repeat every `width` lanes, one of each. A butterfly: at each distance a lane
// pairs with the one across, lower lanes to the left.
@diagnostic(off, subgroup_uniformity)
fn repeated_total(value: Item, width: u32) -> Item {
  var total = value;
  for (var distance = 1u; distance < width; distance <<= 1u) {
    let other = lane_across(total, distance);
    if ((lane_in_subgroup & distance) == 0u) {
      total = combine_items(total, other);
    } else {
      total = combine_items(other, total);
    }
  }
  return total;
}

var<private> subgroup: u32;
var<private> lane_in_subgroup: u32;
var<private> lanes_of_subgroup: u32;

// One item a subgroup; there are as many subgroups as lanes where a subgroup is one lane.
var<workgroup> subgroup_totals: array<Item, WORKGROUP_WIDTH>;

// Notes where this invocation is and returns its lane in the block, in subgroup order.
fn enter_subgroup(subgroup_id: u32, subgroup_lane: u32) -> u32 {
  subgroup = subgroup_id;
  lane_in_subgroup = subgroup_lane;
  lanes_of_subgroup = subgroupAdd(1u);
  return subgroup * lanes_of_subgroup + lane_in_subgroup;
}

// What the subgroups before this one add up to; `total` is the subgroup's own, in its last lane.
fn carry_before_subgroup(total: Item) -> Item {
  if (lane_in_subgroup == lanes_of_subgroup - 1u) {
    subgroup_totals[subgroup] = total;
  }
  workgroupBarrier();  // Parts the stores of the totals from their reads.
  // As many lanes as there are subgroups share the totals; where there are more lanes, they repeat.
  let subgroups = WORKGROUP_WIDTH / lanes_of_subgroup;
  let width = min(subgroups, lanes_of_subgroup);
  let share = subgroups / width;
  let first = (lane_in_subgroup & (width - 1u)) * share;
  var partial = identity_item();
  for (var i = first; i < min(first + share, subgroup); i += 1u) {
    partial = combine_items(partial, subgroup_totals[i]);
  }
  return repeated_total(partial, width);
}

fn block_scan(lane: u32, value: Item) -> BlockScan {
  let scanned = subgroup_scan(value);
  let carry = carry_before_subgroup(scanned.through);
  return BlockScan(combine_items(carry, scanned.before), combine_items(carry, scanned.through));
}
// The rounds of a tile by subgroup operations: a subgroup takes a run of rows, four a lane and
// round.
fn round_position(lane: u32, round: u32, rounds: u32) -> u32 {
  return (subgroup * rounds + round) * lanes_of_subgroup + lane_in_subgroup;
}

fn scan_round(lane: u32, value: Item) -> RoundScan {
  let scanned = subgroup_scan(value);
  return RoundScan(scanned.before, last_lane_of(scanned.through));
}

fn reduce_round(lane: u32, value: Item) -> Item {
  return subgroup_total(value);
}

// What the whole tile adds up to, in its last lane; `total` is what the subgroup does.
fn tile_total(lane: u32, total: Item) -> Item {
  if (lane_in_subgroup == lanes_of_subgroup - 1u) {
    subgroup_totals[subgroup] = total;
  }
  workgroupBarrier();  // Parts the stores of the totals from their reads.
  var sum = identity_item();
  if (lane == WORKGROUP_WIDTH - 1u) {
    for (var i = 0u; i <= subgroup; i += 1u) {
      sum = combine_items(sum, subgroup_totals[i]);
    }
  }
  return sum;
}

fn carry_before(total: Item) -> Item {
  return carry_before_subgroup(total);
}

@compute @workgroup_size(WORKGROUP_WIDTH)
fn scan_tiles_subgroup(
    @builtin(subgroup_id) subgroup_id: u32,
    @builtin(subgroup_invocation_id) subgroup_lane: u32,
    @builtin(workgroup_id) group_id: vec3u,
    @builtin(num_workgroups) group_counts: vec3u) {
  let lane = enter_subgroup(subgroup_id, subgroup_lane);
  scan_tile(lane, linear_group(group_id, group_counts));
}
