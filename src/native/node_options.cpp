// Row counts and external calls, held against the plan's nodes.
#include "native/node_options.hpp"

#include <algorithm>

#include "wgprim/detail/text.hpp"

namespace wgprim::native {

NodeTable::NodeTable(const Plan& plan) : is_gpu_resolved_(plan.nodes.size()) {
  std::vector<IdIndex::Entry> ids;
  for (std::uint32_t node = 0; node < plan.nodes.size(); ++node)
    ids.push_back({plan.nodes[node].id, node});
  by_id_ = IdIndex(std::move(ids));
  for (const PlanPass& pass : plan.passes) {
    if (const auto* external = std::get_if<PlanExternal>(&pass))
      external_nodes_.push_back(external->node);
  }
  for (const PlanDispatch& dispatch : plan.dispatches) {
    if (dispatch.indirect) is_gpu_resolved_[dispatch.node] = 1;
  }
}

Result<void> NodeTable::resolve_row_counts(const Plan& plan, std::span<const RowCount> counts,
                                           Resolution& resolution) const {
  resolution.key.has_row_counts = !counts.empty();
  if (counts.empty()) return {};
  resolution.rows.assign(plan.nodes.size(), kAllRows);
  for (const RowCount& count : counts) {
    const auto node = by_id_.find(count.node);
    if (!node) {
      return fail(ErrorCode::invalid_argument,
                  concat("The row count of node '", count.node, "' names no node of the plan."));
    }
    const auto& capacity = plan.nodes[*node].row_capacity;
    if (!capacity) {
      return fail(ErrorCode::invalid_argument,
                  concat("Node '", count.node, "' takes no row count."));
    }
    if (count.rows > *capacity) {
      return fail(ErrorCode::limit_exceeded,
                  concat("Node '", count.node, "' is given ", count.rows,
                         " rows, more than the capacity it was planned for (", *capacity, ")."));
    }
    if (std::exchange(resolution.rows[*node], count.rows) != kAllRows) {
      return fail(ErrorCode::invalid_argument,
                  concat("The row count of node '", count.node, "' is given twice."));
    }
  }
  return {};
}

Result<void> NodeTable::resolve_externals(const Plan& plan, std::span<const ExternalCall> calls,
                                          Resolution& resolution) const {
  if (!external_nodes_.empty()) resolution.calls.assign(plan.nodes.size(), nullptr);
  for (const ExternalCall& call : calls) {
    const auto node = by_id_.find(call.node);
    if (!node || !std::ranges::binary_search(external_nodes_, *node)) {
      return fail(ErrorCode::invalid_argument,
                  concat("The call of node '", call.node, "' names no external node of the plan."));
    }
    if (!call.record) {
      return fail(ErrorCode::invalid_argument,
                  concat("The call of external node '", call.node, "' is empty."));
    }
    if (std::exchange(resolution.calls[*node], &call.record) != nullptr) {
      return fail(ErrorCode::invalid_argument,
                  concat("The call of external node '", call.node, "' is given twice."));
    }
  }
  for (const std::uint32_t node : external_nodes_) {
    if (resolution.calls[node] != nullptr || resolution.key.active_nodes[node] == 0) continue;
    return fail(ErrorCode::invalid_argument,
                concat("The call of external node '", plan.nodes[node].id, "' is not given."));
  }
  return {};
}

}  // namespace wgprim::native
