// Plans that leave a trace; see the header.
#include "support/log_plans.hpp"

#include "support/plan_pieces.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kLogUsage =
    kUsageStorage | kUsageCopySource | kUsageCopyDestination | kUsageVertex;

const char* const kAppend = R"(@group(0) @binding(0) var<uniform> number: u32;
@group(0) @binding(1) var<storage, read_write> log: array<u32>;
@compute @workgroup_size(1)
fn append_number() {
  log[0] += 1u;
  log[log[0]] = number;
}
)";

const char* const kNumber =
    R"(struct Parameters { items: u32, workgroups: u32, first: u32, wide: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> rows: array<u32>;
@compute @workgroup_size(32)
fn number_rows(@builtin(workgroup_id) group: vec3<u32>,
               @builtin(num_workgroups) groups: vec3<u32>,
               @builtin(local_invocation_index) local_id: u32) {
  let block = (group.z * groups.y + group.y) * groups.x + group.x;
  if (block >= parameters.workgroups) { return; }
  let i = block * 32u + local_id;
  if (i < parameters.items) { rows[parameters.first + i] = 7u * (parameters.first + i) + 1u; }
}
)";

std::uint32_t last_node(const Plan& plan) {
  return static_cast<std::uint32_t>(plan.nodes.size() - 1);
}

/// The import "copy", declared when first asked for.
std::uint32_t copy_buffer(Plan& plan) {
  if (plan.buffers.size() == 1) {
    plan.buffers.push_back({.id = "copy", .bytes = kLogBytes, .usage = kUsageCopyDestination});
  }
  return 1;
}

PlanDispatch counted_dispatch(std::uint32_t first, std::uint32_t items, Shape shape) {
  const std::uint32_t groups = (items + 31) / 32;
  PlanDispatch made = dispatch(0, 0, "number rows", {{1, 0, 0, 4 * kCountedRows}},
                               {items, groups, first, 0}, shape);
  made.extent = PlanExtent{.first_item = first, .items = items, .items_per_workgroup = 32};
  return made;
}

}  // namespace

Plan log_plan(std::uint32_t nodes) {
  Plan plan;
  plan.buffers = {{.id = "log", .bytes = kLogBytes, .usage = kLogUsage}};
  plan.kernels = {kernel("append_number", kAppend, {kParameters, kWrite})};
  for (std::uint32_t i = 0; i < nodes; ++i)
    add_log_node(plan, "n" + std::to_string(i));
  return plan;
}

void add_log_node(Plan& plan, std::string id, std::string condition) {
  const auto index = static_cast<std::uint32_t>(plan.nodes.size());
  const auto at = static_cast<std::uint32_t>(plan.dispatches.size());
  plan.dispatches.push_back(dispatch(index, 0, id, {{1, 0, 0, kLogBytes}}, {index}, {1, 1, 1}));
  plan.nodes.push_back(node(std::move(id), std::move(condition)));
  plan.passes.push_back(PlanComputePass{at, at + 1});
}

void add_copy_node(Plan& plan) {
  plan.nodes.push_back({.id = "aside", .operation = "copy"});
  plan.passes.push_back(PlanCopy{last_node(plan), 0, 0, copy_buffer(plan), 0, kLogBytes});
}

void add_clear_node(Plan& plan) {
  plan.nodes.push_back({.id = "wipe", .operation = "clear"});
  plan.passes.push_back(PlanClear{last_node(plan), copy_buffer(plan), 0, kLogBytes});
}

void add_external_node(Plan& plan) {
  plan.nodes.push_back({.id = "outside", .operation = "external"});
  plan.passes.push_back(PlanExternal{
      last_node(plan), {{0, 4, 8, kUsageVertex, false}, {0, 0, 4, kUsageCopyDestination, true}}});
}

Buffer make_log(Device& device) {
  return make_buffer(device, std::vector<std::uint32_t>(1 + kLogEntries, 0), kLogUsage);
}

std::vector<std::uint32_t> read_log(Device& device, Buffer& log) {
  std::vector<std::uint32_t> words = read_words(device, log, 1 + kLogEntries);
  return {words.begin() + 1, words.begin() + 1 + words[0]};
}

Plan counted_plan() {
  Plan plan;
  plan.nodes = {node("number")};
  plan.nodes[0].row_capacity = kCountedRows;
  plan.buffers = {{.id = "out", .bytes = 4 * kCountedRows, .usage = kUsageStorage}};
  plan.kernels = {kernel("number_rows", kNumber, {kParameters, kWrite})};
  plan.dispatches = {counted_dispatch(0, 600, {4, 3, 2}), counted_dispatch(600, 400, {5, 3, 1})};
  plan.passes = {PlanComputePass{0, 2}};
  return plan;
}

std::vector<std::uint32_t> counted_rows(std::uint64_t rows, std::uint32_t old) {
  std::vector<std::uint32_t> words(kCountedRows, old);
  for (std::uint32_t i = 0; i < rows; ++i)
    words[i] = 7 * i + 1;
  return words;
}

}  // namespace wgprim::testing
