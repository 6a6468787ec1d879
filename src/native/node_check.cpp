// Checks the nodes of a plan, what they refer to, and the steps that they are cut into.
#include <algorithm>
#include <vector>

#include "native/plan_check.hpp"

namespace wgprim::native {
namespace {

Result<void> check_ids(const Plan& plan) {
  std::vector<std::string_view> ids;
  for (const PlanNode& node : plan.nodes)
    ids.push_back(node.id);
  std::ranges::sort(ids);
  const auto repeated = std::ranges::adjacent_find(ids);
  if (repeated == ids.end()) return {};
  return contradiction("two nodes are called '", *repeated, "'");
}

Result<void> check_indices(const PlanNode& node, std::string_view what,
                           const std::vector<std::uint32_t>& indices, std::size_t end) {
  const auto beyond =
      std::ranges::find_if(indices, [&](std::uint32_t index) { return index >= end; });
  if (beyond == indices.end()) return {};
  return contradiction("node '", node.id, "' ", what, " ", *beyond, " of ", end);
}

Result<void> check_steps(const Plan& plan) {
  std::uint32_t next = 0;
  for (const PlanStep& step : plan.steps) {
    if (step.first != next || step.end <= next || step.end > plan.nodes.size()) {
      return contradiction("a step holds the nodes from ", step.first, " to ", step.end, " where ",
                           next, " is the next of ", plan.nodes.size());
    }
    next = step.end;
  }
  if (plan.steps.empty() || next == plan.nodes.size()) return {};
  return contradiction("no step holds node ", next, " of ", plan.nodes.size());
}

}  // namespace

Result<void> check_nodes(const Plan& plan) {
  if (const auto checked = check_ids(plan); !checked) return checked;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const PlanNode& node = plan.nodes[i];
    // What runs before a node stands before it.
    auto checked = check_indices(node, "runs after node", node.after, i);
    if (checked) checked = check_indices(node, "reads buffer", node.reads, plan.buffers.size());
    if (checked) checked = check_indices(node, "writes buffer", node.writes, plan.buffers.size());
    if (!checked) return checked;
  }
  return check_steps(plan);
}

}  // namespace wgprim::native
