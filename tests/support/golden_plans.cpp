// The hand-made plans. Kernels are the user's own WGSL: no name in them is known to any executor.
#include "support/golden_plans.hpp"

#include <utility>

#include "support/plan_pieces.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kReadWrite = kUsageStorage | kUsageCopyDestination | kUsageCopySource;

PlanBuffer imported(std::string id, std::uint64_t rows, std::uint32_t usage = kUsageStorage) {
  return {.id = std::move(id), .bytes = kGoldenOffset + 4 * rows, .usage = usage};
}

PlanBuffer transient(std::string id, std::uint64_t bytes, std::uint32_t usage, std::uint32_t slot) {
  return {.id = std::move(id),
          .bytes = bytes,
          .usage = usage,
          .role = BufferRole::transient,
          .slot = slot};
}

void total_up(Plan& plan) {
  for (const PlanSlot& slot : plan.slots)
    plan.scratch_bytes += slot.bytes;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::state) plan.scratch_bytes += buffer.bytes;
    if (buffer.role != BufferRole::imported) plan.scratch_bytes_without_reuse += buffer.bytes;
  }
}

const char* const kScanBlocks = R"(struct Parameters { rows: u32, first_block: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> target_rows: array<u32>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;
override BLOCK: u32 = 32;
@compute @workgroup_size(1)
fn scan_blocks_plainly(@builtin(workgroup_id) group: vec3<u32>) {
  var total = 0u;
  for (var i = group.x * BLOCK; i < min(group.x * BLOCK + BLOCK, parameters.rows); i += 1u) {
    target_rows[i] = total;
    total += source[i];
  }
  sums[parameters.first_block + group.x] = total;
}
)";

const char* const kScanSums = R"(struct Parameters { rows: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@compute @workgroup_size(1)
fn scan_sums_plainly() {
  var total = 0u;
  for (var i = 0u; i < parameters.rows; i += 1u) {
    let value = sums[i];
    sums[i] = total;
    total += value;
  }
}
)";

const char* const kAddSums = R"(struct Parameters { rows: u32, first_block: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> target_rows: array<u32>;
override BLOCK: u32 = 32;
@compute @workgroup_size(BLOCK)
fn add_sums_plainly(@builtin(workgroup_id) group: vec3<u32>,
                    @builtin(local_invocation_index) local_id: u32) {
  let i = group.x * BLOCK + local_id;
  if (i < parameters.rows) { target_rows[i] += sums[parameters.first_block + group.x]; }
}
)";

const char* const kNumberEncodes =
    R"(@group(0) @binding(0) var<storage, read_write> encodes: array<u32>;
@group(0) @binding(1) var<storage, read_write> target_rows: array<u32>;
@compute @workgroup_size(1)
fn number_encodes() {
  encodes[0] += 1u;
  for (var i = 0u; i < 64u; i += 1u) { target_rows[i] = 1000u * encodes[0] + i; }
}
)";

const char* const kCompact = R"(@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> kept: array<u32>;
@group(0) @binding(3) var<storage, read_write> count: array<u32>;
@group(0) @binding(4) var<storage, read_write> record: array<u32>;
@compute @workgroup_size(1)
fn compact_plainly() {
  var n = 0u;
  for (var i = 0u; i < arrayLength(&source); i += 1u) {
    if (flags[i] != 0u) {
      kept[n] = source[i];
      n += 1u;
    }
  }
  count[0] = n;
  record[0] = (n + 63u) / 64u;
  record[1] = select(0u, 1u, n > 0u);
  record[2] = record[1];
}
)";

const char* const kNegate = R"(@group(0) @binding(0) var<storage, read> count: array<u32>;
@group(0) @binding(1) var<storage, read_write> kept: array<u32>;
@compute @workgroup_size(64)
fn negate_kept(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < count[0]) { kept[id.x] = 0u - kept[id.x]; }
}
)";

const char* const kAddOne = R"(@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> work: array<u32>;
@compute @workgroup_size(64)
fn add_one(@builtin(global_invocation_id) id: vec3<u32>) { work[id.x] += source[id.x] + 1u; }
)";

const char* const kDouble = R"(@group(0) @binding(0) var<storage, read_write> work: array<u32>;
@compute @workgroup_size(64)
fn double_rows(@builtin(global_invocation_id) id: vec3<u32>) { work[id.x] *= 2u; }
)";

const char* const kCopyRows = R"(@group(0) @binding(0) var<storage, read> work: array<u32>;
@group(0) @binding(1) var<storage, read_write> target_rows: array<u32>;
@compute @workgroup_size(64)
fn copy_rows(@builtin(global_invocation_id) id: vec3<u32>) { target_rows[id.x] = work[id.x]; }
)";

const char* const kAddNumber = R"(@group(0) @binding(0) var<uniform> number: u32;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> target_rows: array<u32>;
@compute @workgroup_size(64)
fn add_number(@builtin(local_invocation_index) i: u32) { target_rows[i] = source[i] + number; }
)";

}  // namespace

Plan chained_plan() {
  constexpr std::uint32_t kBlock = 64, kRows0 = 512, kRows1 = 300, kBlocks0 = 8, kBlocks1 = 5;
  constexpr std::uint64_t kSumBytes = 4 * (kBlocks0 + kBlocks1);
  enum : std::uint32_t { in0, in1, out0, out1, sums };
  Plan plan;
  plan.nodes = {node("totals")};
  plan.buffers = {imported("in0", kRows0), imported("in1", kRows1), imported("out0", kRows0),
                  imported("out1", kRows1), transient("sums", kSumBytes, kUsageStorage, 0)};
  plan.slots = {{kSumBytes, kUsageStorage}};
  plan.kernels = {
      kernel("scan_blocks_plainly", kScanBlocks, {kParameters, kRead, kWrite, kWrite},
             {{"BLOCK", kBlock}}),
      kernel("scan_sums_plainly", kScanSums, {kParameters, kWrite}),
      kernel("add_sums_plainly", kAddSums, {kParameters, kRead, kWrite}, {{"BLOCK", kBlock}})};
  const auto rows = [](std::uint32_t binding, std::uint32_t buffer, std::uint32_t count) {
    return PlanBinding{binding, buffer, kGoldenOffset, 4 * std::uint64_t{count}};
  };
  const auto all_sums = [](std::uint32_t binding) {
    return PlanBinding{binding, sums, 0, kSumBytes};
  };
  plan.dispatches = {
      dispatch(0, 0, "scan of in0", {rows(1, in0, kRows0), rows(2, out0, kRows0), all_sums(3)},
               {kRows0, 0}, {kBlocks0, 1, 1}),
      dispatch(0, 0, "scan of in1", {rows(1, in1, kRows1), rows(2, out1, kRows1), all_sums(3)},
               {kRows1, kBlocks0}, {kBlocks1, 1, 1}),
      dispatch(0, 1, "scan of sums", {all_sums(1)}, {kBlocks0 + kBlocks1}, {1, 1, 1}),
      dispatch(0, 2, "add to out0", {all_sums(1), rows(2, out0, kRows0)}, {kRows0, 0},
               {kBlocks0, 1, 1}),
      dispatch(0, 2, "add to out1", {all_sums(1), rows(2, out1, kRows1)}, {kRows1, kBlocks0},
               {kBlocks1, 1, 1})};
  plan.passes = {PlanComputePass{0, 5}};
  total_up(plan);
  return plan;
}

Plan surviving_state_plan() {
  Plan plan;
  plan.nodes = {node("number")};
  plan.buffers = {imported("out", 64),
                  {.id = "encodes", .bytes = 4, .usage = kUsageStorage, .role = BufferRole::state}};
  plan.kernels = {kernel("number_encodes", kNumberEncodes, {kWrite, kWrite})};
  plan.dispatches = {dispatch(0, 0, "number the encodes",
                              {{0, 1, 0, 4}, {1, 0, kGoldenOffset, 256}}, {}, {1, 1, 1})};
  plan.passes = {PlanComputePass{0, 1}};
  total_up(plan);
  return plan;
}

Plan compaction_plan() {
  constexpr std::uint64_t kRows = 300, kRowBytes = 4 * kRows;
  enum : std::uint32_t { in, flags, out, count, record };
  Plan plan;
  plan.nodes = {node("pick"), node("negate")};
  plan.buffers = {imported("in", kRows), imported("flags", kRows), imported("out", kRows),
                  imported("count", 1), transient("record", 12, kUsageStorage | kUsageIndirect, 0)};
  plan.slots = {{12, kUsageStorage | kUsageIndirect}};
  plan.kernels = {kernel("compact_plainly", kCompact, {kRead, kRead, kWrite, kWrite, kWrite}),
                  kernel("negate_kept", kNegate, {kRead, kWrite})};
  plan.dispatches = {
      dispatch(0, 0, "pick the flagged",
               {{0, in, kGoldenOffset, kRowBytes},
                {1, flags, kGoldenOffset, kRowBytes},
                {2, out, kGoldenOffset, kRowBytes},
                {3, count, kGoldenOffset, 4},
                {4, record, 0, 12}},
               {}, {1, 1, 1}),
      dispatch(1, 1, "negate the picked",
               {{0, count, kGoldenOffset, 4}, {1, out, kGoldenOffset, kRowBytes}}, {}, {5, 1, 1})};
  plan.dispatches[1].indirect = IndirectShape{record, 0};
  plan.passes = {PlanComputePass{0, 2}};
  total_up(plan);
  return plan;
}

Plan conditioned_plan() {
  constexpr std::uint64_t kRows = 128, kRowBytes = 4 * kRows;
  enum : std::uint32_t { in, out, mirror, work };
  Plan plan;
  plan.nodes = {node("wipe"), node("add"), node("twice", "double"), node("give"),
                node("reflect", "mirror")};
  plan.buffers = {imported("in", kRows), imported("out", kRows),
                  imported("mirror", kRows, kUsageCopyDestination),
                  transient("work", kRowBytes, kReadWrite, 0)};
  plan.slots = {{kRowBytes, kReadWrite}};
  plan.kernels = {kernel("add_one", kAddOne, {kRead, kWrite}),
                  kernel("double_rows", kDouble, {kWrite}),
                  kernel("copy_rows", kCopyRows, {kRead, kWrite})};
  plan.dispatches = {
      dispatch(1, 0, "add one", {{0, in, kGoldenOffset, kRowBytes}, {1, work, 0, kRowBytes}}, {},
               {2, 1, 1}),
      dispatch(2, 1, "double", {{0, work, 0, kRowBytes}}, {}, {2, 1, 1}),
      dispatch(3, 2, "give", {{0, work, 0, kRowBytes}, {1, out, kGoldenOffset, kRowBytes}}, {},
               {2, 1, 1})};
  plan.passes = {PlanClear{0, work, 0, kRowBytes}, PlanComputePass{0, 2}, PlanComputePass{2, 3},
                 PlanCopy{4, work, 0, mirror, kGoldenOffset, kRowBytes}};
  total_up(plan);
  return plan;
}

Plan thousand_chunks_plan() {
  constexpr std::uint32_t kChunks = 1000;
  constexpr std::uint64_t kChunkRows = 64;
  Plan plan;
  plan.nodes = {node("add")};
  plan.buffers = {imported("in", kChunks * kChunkRows), imported("out", kChunks * kChunkRows)};
  plan.kernels = {kernel("add_number", kAddNumber, {kParameters, kRead, kWrite})};
  for (std::uint32_t i = 0; i < kChunks; ++i) {
    const std::uint64_t offset = kGoldenOffset + i * 4 * kChunkRows;
    plan.dispatches.push_back(
        dispatch(0, 0, "add to chunk " + std::to_string(i),
                 {{1, 0, offset, 4 * kChunkRows}, {2, 1, offset, 4 * kChunkRows}}, {i}, {1, 1, 1}));
  }
  plan.passes = {PlanComputePass{0, kChunks}};
  return plan;
}

std::vector<GoldenPlan> golden_plans() {
  return {{"chained_over_two_buffers", chained_plan()},
          {"state_that_survives", surviving_state_plan()},
          {"compaction_with_indirect", compaction_plan()},
          {"conditioned_kernel", conditioned_plan()},
          {"thousand_chunks", thousand_chunks_plan()}};
}

}  // namespace wgprim::testing
