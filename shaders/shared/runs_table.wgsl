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
