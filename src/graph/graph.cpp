// The declarations of a graph. Adding operations lives with each operation, in src/ops.
#include "wgprim/graph.hpp"

#include "graph/graph_state.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

Result<void> check_id(std::string_view kind, std::string_view id, bool is_taken, bool is_frozen) {
  if (is_frozen) {
    return fail(ErrorCode::invalid_graph,
                concat(kind, " '", id, "' comes after the graph was compiled."));
  }
  if (id.empty()) return fail(ErrorCode::invalid_graph, concat(kind, " id is empty."));
  if (is_taken) {
    return fail(ErrorCode::invalid_graph, concat(kind, " id '", id, "' is taken already."));
  }
  return {};
}

}  // namespace

Graph::Graph() : state_(std::make_unique<State>()) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

Result<BufferId> Graph::import_buffer(ImportedBuffer buffer) {
  const bool is_taken = state_->buffer_ids.contains(buffer.id);
  if (auto ok = check_id("Buffer", buffer.id, is_taken, state_->is_frozen); !ok) return pass_on(ok);
  state_->buffer_ids.insert(buffer.id);
  state_->buffers.push_back(std::move(buffer));
  return BufferId{state_.get(), static_cast<std::uint32_t>(state_->buffers.size() - 1)};
}

Result<void> Graph::State::check_node_id(std::string_view id) const {
  return check_id("Node", id, node_ids.contains(std::string(id)), is_frozen);
}

void Graph::State::append(std::string id, Operation operation) {
  node_ids.insert(id);
  nodes.push_back({std::move(id), std::move(operation)});
}

}  // namespace wgprim
