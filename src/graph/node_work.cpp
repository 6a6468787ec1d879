// What each node of a plan amounts to: the one place that adds it up, for budgets, preflights and
// reports.
#include "graph/node_work.hpp"

#include "graph/plan_commands.hpp"

namespace wgprim {
namespace {

Workload workload_of(const PlanDispatch& dispatch) { return dispatch.workload; }
Workload workload_of(const PlanCopy& copy) {
  return {.bytes_read = copy.bytes, .bytes_written = copy.bytes};
}
Workload workload_of(const PlanClear& clear) { return {.bytes_written = clear.bytes}; }
/// Only the caller knows.
Workload workload_of(const PlanExternal& /*external*/) { return {}; }

}  // namespace

void add_to(Workload& sum, const Workload& part) {
  sum.workgroups = saturating_sum(sum.workgroups, part.workgroups);
  sum.invocations = saturating_sum(sum.invocations, part.invocations);
  sum.bytes_read = saturating_sum(sum.bytes_read, part.bytes_read);
  sum.bytes_written = saturating_sum(sum.bytes_written, part.bytes_written);
}

void add_to(NodeWork& sum, const NodeWork& part) {
  sum.commands += part.commands;
  add_to(sum.workload, part.workload);
}

std::vector<NodeWork> node_work(const Plan& plan) {
  std::vector<NodeWork> nodes;
  nodes.reserve(plan.nodes.size());
  for (const PlanNode& node : plan.nodes)
    nodes.push_back({.id = node.id, .operation = node.operation, .path = node.path});
  for_each_command(plan, [&](const auto& command) {
    NodeWork& node = nodes[command.node];
    ++node.commands;
    add_to(node.workload, workload_of(command));
  });
  return nodes;
}

}  // namespace wgprim
