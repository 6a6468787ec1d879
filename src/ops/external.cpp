// External nodes: work that the caller records. The graph only knows what it uses.
#include <utility>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "ops/operations.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

std::uint32_t usage_of(Use use) {
  switch (use) {
    case Use::storage_read:
    case Use::storage_write:
    case Use::storage_read_write: return kUsageStorage;
    case Use::uniform: return kUsageUniform;
    case Use::copy_source: return kUsageCopySource;
    case Use::copy_destination: return kUsageCopyDestination;
    case Use::indirect: return kUsageIndirect;
    case Use::vertex: return kUsageVertex;
    case Use::index: return kUsageIndex;
  }
  return kUsageStorage;
}

}  // namespace

Result<void> Graph::add(External external) {
  Node node{.id = external.id, .operation = {}, .uses = {}};
  for (std::size_t i = 0; i < external.uses.size(); ++i) {
    const ExternalUse& use = external.uses[i];
    const std::string what = concat("Use ", i, " of external node '", external.id, "'");
    if (auto ok = check_views(*state_, what, use.view); !ok) return ok;
    node.uses.push_back({use.view.buffer.index, use.use});
  }
  node.operation = std::move(external);
  return state_->append(std::move(node));
}

Result<void> lower(const External& external, PlanBuilder& builder) {
  PlanExternal work;
  for (const auto& [view, use] : external.uses) {
    const ByteRange range = byte_range(view);
    work.uses.push_back({.buffer = view.buffer.index,
                         .offset = range.begin,
                         .bytes = range.end - range.begin,
                         .usage = usage_of(use),
                         .is_written = writes(use)});
  }
  builder.add_external(std::move(work));
  return {};
}

}  // namespace wgprim
