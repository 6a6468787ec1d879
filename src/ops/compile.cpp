// From a graph to its plan: the whole graph is checked and ordered, each node is lowered to its
// commands, then the builder finishes the plan (slots, totals).
#include <algorithm>
#include <variant>

#include "graph/graph_state.hpp"
#include "graph/plan_builder.hpp"
#include "graph/schedule.hpp"
#include "ops/operations.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

void sort_unique(std::vector<std::uint32_t>& list) {
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
}

/// The node as plans show it; `place` gives each node its place in the order.
PlanNode describe(const Node& node, const std::vector<std::uint32_t>& before,
                  const std::vector<std::uint32_t>& place) {
  PlanNode described{
      .id = node.id,
      .operation = std::visit([](const auto& op) { return name_of(op); }, node.operation),
      .condition = node.condition()};
  for (const std::uint32_t earlier : before)
    described.after.push_back(place[earlier]);
  for (const BufferUse& use : node.uses) {
    if (reads(use.use)) described.reads.push_back(use.buffer);
    if (writes(use.use)) described.writes.push_back(use.buffer);
  }
  for (auto* list : {&described.after, &described.reads, &described.writes})
    sort_unique(*list);
  return described;
}

Result<void> add_buffers(const Graph::State& graph, PlanBuilder& builder) {
  const std::uint64_t most = builder.profile().limits.max_buffer_size;
  for (const GraphBuffer& buffer : graph.buffers) {
    if (buffer.role == BufferRole::transient && buffer.bytes > most) {
      return fail(ErrorCode::limit_exceeded,
                  concat("Transient '", buffer.id, "' takes ", buffer.bytes,
                         " bytes, more than the device allows (", most, ", maxBufferSize)."));
    }
    builder.add_buffer(buffer.id, buffer.bytes, buffer.role);
  }
  return {};
}

}  // namespace

Result<Plan> Graph::compile(const DeviceProfile& profile) {
  state_->is_frozen = true;
  if (auto ok = state_->check_own_id(); !ok) return pass_on(ok);
  if (auto ok = check_transients(*state_); !ok) return pass_on(ok);
  const auto schedule = wgprim::schedule(*state_);
  if (!schedule) return pass_on(schedule);
  std::vector<std::uint32_t> place(state_->nodes.size());
  for (std::uint32_t i = 0; i < place.size(); ++i)
    place[schedule->order[i]] = i;

  PlanBuilder builder(profile);
  if (auto ok = add_buffers(*state_, builder); !ok) return pass_on(ok);
  for (const std::uint32_t index : schedule->order) {
    const Node& node = state_->nodes[index];
    builder.begin_node(describe(node, schedule->before[index], place));
    const auto lowered = std::visit(
        [&](const auto& operation) { return lower(operation, builder); }, node.operation);
    if (!lowered) return pass_on(lowered);
  }
  return builder.finish();
}

}  // namespace wgprim
