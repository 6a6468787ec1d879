// From a graph to its plan: each node is lowered to passes in order, then the builder finishes the
// plan (slots, compute passes, totals).
#include <variant>

#include "graph/graph_state.hpp"
#include "graph/plan_builder.hpp"
#include "ops/scan.hpp"

namespace wgprim {

Result<Plan> Graph::compile(const DeviceProfile& profile) {
  state_->is_frozen = true;
  PlanBuilder builder(profile);
  for (const ImportedBuffer& buffer : state_->buffers)
    builder.add_import(buffer.id, buffer.bytes);
  for (const Node& node : state_->nodes) {
    const auto lowered = std::visit(
        [&](const auto& operation) { return lower(operation, builder); }, node.operation);
    if (!lowered) return pass_on(lowered);
  }
  return builder.finish();
}

}  // namespace wgprim
