// Plans made by hand for tests of budgets and reports: nodes with the work that a test asks for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Nodes "node0", "node1", ... of one dispatch each that launches so many invocations.
inline Plan plan_of_invocations(const std::vector<std::uint64_t>& invocations) {
  Plan plan;
  plan.kernels.push_back({.name = "own", .wgsl = "fn own() {}"});
  for (std::uint32_t index = 0; index < invocations.size(); ++index) {
    plan.nodes.push_back({.id = "node" + std::to_string(index), .operation = "compute"});
    plan.dispatches.push_back(
        {.node = index, .label = "own", .workload = {.invocations = invocations[index]}});
  }
  plan.passes.emplace_back(PlanComputePass{0, static_cast<std::uint32_t>(invocations.size())});
  return plan;
}

/// The user's flags, a scan of them, the user's scatter, and a copy of the count on a condition:
///
///     flag (values -> flags), scan (flags -> offsets, own scratch "scan.sums1"),
///     scatter (values, flags, offsets -> kept), save (offsets -> count, if 'save')
///
/// Buffers 0 values, 1 kept, 2 count (imported), 3 flags, 4 offsets, 5 scan.sums1 (transients: slot
/// 0, 1 and 2), 6 never (a transient that nothing uses).
inline Plan select_plan() {
  constexpr std::uint64_t kBytes = 4096;
  const auto buffer = [](std::string id, std::uint64_t bytes, BufferRole role) {
    return PlanBuffer{.id = std::move(id), .bytes = bytes, .usage = kUsageStorage, .role = role};
  };
  Plan plan;
  plan.buffers = {buffer("values", kBytes, BufferRole::imported),
                  buffer("kept", kBytes, BufferRole::imported),
                  buffer("count", 4, BufferRole::imported),
                  buffer("flags", kBytes, BufferRole::transient),
                  buffer("offsets", kBytes, BufferRole::transient),
                  buffer("scan.sums1", 16, BufferRole::transient),
                  buffer("never", 8, BufferRole::transient)};
  plan.slots = {{kBytes, kUsageStorage}, {kBytes, kUsageStorage}, {16, kUsageStorage}};
  for (std::uint32_t slot = 0; slot < 3; ++slot)
    plan.buffers[3 + slot].slot = slot;
  plan.nodes = {
      {.id = "flag", .operation = "compute", .after = {}, .reads = {0}, .writes = {3}},
      {.id = "scan",
       .operation = "scan",
       .path = "chained",
       .reason = "the only path",
       .row_capacity = 1024,
       .after = {0},
       .reads = {3},
       .writes = {4}},
      {.id = "scatter", .operation = "compute", .after = {0, 1}, .reads = {0, 3, 4}, .writes = {1}},
      {.id = "save",
       .operation = "copy",
       .condition = "save",
       .after = {1, 2},
       .reads = {4},
       .writes = {2}}};
  plan.kernels = {{.name = "flag",
                   .bindings = {{0, Access::storage_read}, {1, Access::storage_read_write}},
                   .wgsl = "fn flag() {}"},
                  {.name = "scan_blocks"},
                  {.name = "scatter", .wgsl = "fn scatter() {}"}};
  const auto dispatch = [&](std::uint32_t node, std::vector<std::uint32_t> buffers, Shape shape) {
    PlanDispatch made{
        .node = node, .kernel = node, .label = plan.kernels[node].name, .shape = shape};
    for (std::uint32_t binding = 0; binding < buffers.size(); ++binding)
      made.bindings.push_back({binding, buffers[binding], 0, plan.buffers[buffers[binding]].bytes});
    made.workload = {shape[0], 256 * std::uint64_t{shape[0]}, kBytes, kBytes};
    plan.dispatches.push_back(made);
  };
  dispatch(0, {0, 3}, {4, 1, 1});
  dispatch(1, {3, 4, 5}, {4, 1, 1});
  dispatch(2, {0, 3, 4, 1}, {8, 1, 1});
  plan.passes = {
      PlanComputePass{0, 3},
      PlanCopy{.node = 3, .source = 4, .source_offset = 4092, .destination = 2, .bytes = 4}};
  plan.scratch_bytes = plan.scratch_bytes_without_reuse = 2 * kBytes + 16;
  return plan;
}

}  // namespace wgprim::testing
