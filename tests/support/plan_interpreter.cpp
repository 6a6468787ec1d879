// Row counts, and one dispatch after the other; see the header.
#include "support/plan_interpreter.hpp"

#include <algorithm>

#include "support/inspected_memory.hpp"
#include "support/row_kernels.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

/// Clears and external work are nothing a scan or a reduction has.
bool has_only_dispatches_and_copies(const Plan& plan) {
  return std::ranges::all_of(plan.passes, [](const PlanPass& pass) {
    return std::holds_alternative<PlanComputePass>(pass) || std::holds_alternative<PlanCopy>(pass);
  });
}

void run_pass(InspectedMemory& memory, const Plan& plan, const PlanPass& pass) {
  if (const auto* copy = std::get_if<PlanCopy>(&pass)) return memory.copy(*copy);
  const auto& compute = std::get<PlanComputePass>(pass);
  for (std::uint32_t i = compute.first; i < compute.end && memory.fault().empty(); ++i)
    run_dispatch(memory, plan, i);
}

std::uint64_t ceil_divide(std::uint64_t value, std::uint64_t divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

/// Makes the dispatch one over the first `rows` rows of its node. False if none is left for it.
bool lower(PlanDispatch& dispatch, std::uint64_t rows) {
  const PlanExtent& extent = *dispatch.extent;
  const std::uint64_t items = ceil_divide(rows, extent.rows_per_item);
  const std::uint64_t own = std::min(items - std::min(items, extent.first_item), extent.items);
  dispatch.parameters[0] = static_cast<std::uint32_t>(own);
  if (extent.keeps_workgroups) return true;
  if (own == 0) return false;
  const std::uint64_t groups = ceil_divide(own, extent.items_per_workgroup);
  dispatch.parameters[1] = static_cast<std::uint32_t>(groups);
  const std::uint64_t x = std::min<std::uint64_t>(groups, dispatch.shape[0]);
  const std::uint64_t y = std::min<std::uint64_t>(ceil_divide(groups, x), dispatch.shape[1]);
  const std::uint64_t z = ceil_divide(ceil_divide(groups, x), y);
  dispatch.shape = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                    static_cast<std::uint32_t>(z)};
  return true;
}

}  // namespace

Plan with_rows(const Plan& plan, const EncodedRows& rows) {
  Plan lowered = plan;
  lowered.dispatches.clear();
  std::vector<std::uint32_t> new_index;  // Of each dispatch that is there or comes next.
  for (PlanDispatch dispatch : plan.dispatches) {
    new_index.push_back(static_cast<std::uint32_t>(lowered.dispatches.size()));
    const auto given = rows.find(plan.nodes[dispatch.node].id);
    if (given != rows.end() && dispatch.extent && !lower(dispatch, given->second)) continue;
    lowered.dispatches.push_back(std::move(dispatch));
  }
  new_index.push_back(static_cast<std::uint32_t>(lowered.dispatches.size()));
  for (PlanPass& pass : lowered.passes) {
    if (auto* compute = std::get_if<PlanComputePass>(&pass)) {
      *compute = {new_index[compute->first], new_index[compute->end]};
    }
  }
  return lowered;
}

Result<Image> interpret(const Plan& plan, Image imports, const EncodedRows& rows) {
  if (!has_only_dispatches_and_copies(plan)) {
    return fail(ErrorCode::internal, "A scan has only dispatches and copies.");
  }
  const Plan lowered = with_rows(plan, rows);
  InspectedMemory memory(lowered, std::move(imports), !rows.empty());
  for (const PlanPass& pass : lowered.passes)
    run_pass(memory, lowered, pass);
  if (!memory.fault().empty()) return fail(ErrorCode::internal, memory.fault());
  return memory.take_imports();
}

Result<void> check_on_host(const Plan& plan, const ScanCase& scan) {
  const Image before = image_before(scan);
  EncodedRows rows;
  if (scan.encoded_rows) rows["scan"] = *scan.encoded_rows;
  const auto found = interpret(plan, before, rows);
  if (!found) return pass_on(found);
  const auto difference = first_difference(scan, image_after(scan, before), *found);
  if (!difference) return {};
  return fail(ErrorCode::verification_failed, *difference);
}

}  // namespace wgprim::testing
