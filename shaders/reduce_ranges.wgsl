// reduce_ranges: the total of each range of rows, from its offset to the next. A lane each: it goes
// up the levels of totals over tiles that the range holds whole, so that no range, however long,
// takes more than some thousand steps (a query of a segment tree with wide nodes).
// One pass, after reduce_tiles has made the levels: reads what no tile holds whole of every range.

#import linear_group
#import parameters
#import elements

#slot element element_1
#slot operator op_add
#slot order order_none
#slot code code_none
#slot item item_plain
#slot rows rows_plain
#slot access access_words
#slot source source_separate
#slot sink sink_segments
#slot target target_words
#slot place place_contiguous
#slot runs runs_none
#slot row_count row_count_planned

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
