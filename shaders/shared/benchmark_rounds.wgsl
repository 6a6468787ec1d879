// What both kernels of the workgroup-scan benchmark share: lane i starts with i + 1, and each round
// makes a lane's value the prefix of (value XOR (round + lane)) over the workgroup.
alias Element = u32;

struct Parameters {
  round_count: u32,
  group_count: u32,  // Launched groups beyond them do nothing.
}

override WORKGROUP_WIDTH: u32 = 256;
override IS_INCLUSIVE: bool = false;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> checksums: array<u32>;

fn round_input(value: u32, round: u32, lane: u32) -> u32 {
  return value ^ (round + lane);
}

fn round_output(scanned: BlockScan) -> u32 {
  return select(scanned.before, scanned.through, IS_INCLUSIVE);
}

// The last lane has seen the whole workgroup.
fn store_checksum(group: u32, lane: u32, value: u32) {
  if (lane == WORKGROUP_WIDTH - 1u) {
    checksums[group] = value;
  }
}
