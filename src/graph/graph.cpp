// The declarations of a graph. Adding operations lives with each operation, in src/ops.
#include "wgprim/graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/detail/utf8.hpp"

namespace wgprim {
namespace {

Result<void> check_utf8(std::string_view kind, std::string_view id) {
  const auto at = find_invalid_utf8(id);
  if (!at) return {};
  return fail(ErrorCode::invalid_graph,
              concat(kind, " id is not valid UTF-8 (byte ", *at, ", counted from 0)."));
}

Result<void> check_id(std::string_view kind, std::string_view id, bool is_taken, bool is_frozen) {
  if (auto ok = check_utf8(kind, id); !ok) return ok;
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

/// Buffers and views are called by one kind of name.
bool is_name_taken(const Graph::State& graph, const std::string& id) {
  return graph.buffer_index.contains(id) || graph.view_index.contains(id);
}

Result<BufferId> declare(Graph::State& graph, GraphBuffer buffer) {
  const bool is_taken = is_name_taken(graph, buffer.id);
  if (auto ok = check_id("Buffer", buffer.id, is_taken, graph.is_frozen); !ok) return pass_on(ok);
  const auto index = static_cast<std::uint32_t>(graph.buffers.size());
  graph.buffer_index.emplace(buffer.id, index);
  graph.buffers.push_back(std::move(buffer));
  return BufferId{&graph, index};
}

/// Uses as a set of rights: reading and writing of storage add up.
unsigned rights_of(Use use) {
  constexpr unsigned kStorageRead = 1u << unsigned(Use::storage_read);
  constexpr unsigned kStorageWrite = 1u << unsigned(Use::storage_write);
  return use == Use::storage_read_write ? kStorageRead | kStorageWrite : 1u << unsigned(use);
}

Result<void> check_allowed(const Graph::State& graph, const Node& node, const BufferUse& asked) {
  const GraphBuffer& buffer = graph.buffers[asked.buffer];
  if (buffer.usage.empty()) return {};
  const unsigned allowed =
      std::transform_reduce(buffer.usage.begin(), buffer.usage.end(), 0u, std::bit_or<>(),
                            [](Use use) { return rights_of(use); });
  if ((rights_of(asked.use) & ~allowed) == 0) return {};
  std::string declared;
  for (const Use use : buffer.usage)
    declared += concat(declared.empty() ? "" : ", ", to_string(use));
  return fail(ErrorCode::invalid_graph,
              concat("Node '", node.id, "' uses buffer '", buffer.id, "' as ", to_string(asked.use),
                     ", which its declared usage (", declared, ") does not allow."));
}

}  // namespace

Graph::Graph(std::string id) : state_(std::make_unique<State>()) { state_->id = std::move(id); }
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

const std::string& Graph::id() const { return state_->id; }

Result<BufferId> Graph::import_buffer(ImportedBuffer buffer) {
  return declare(*state_, {.id = std::move(buffer.id),
                           .bytes = buffer.bytes,
                           .role = BufferRole::imported,
                           .usage = std::move(buffer.usage)});
}

Result<BufferId> Graph::declare_transient(TransientBuffer buffer) {
  const std::uint64_t rows = std::max<std::uint64_t>(buffer.rows, 1);
  if (rows > std::numeric_limits<std::uint64_t>::max() / row_bytes(buffer.format)) {
    return fail(ErrorCode::invalid_graph,
                concat("Transient '", buffer.id, "' of ", rows, " rows of ",
                       row_bytes(buffer.format), " bytes holds more bytes than 64 bits count."));
  }
  return declare(*state_, {.id = std::move(buffer.id),
                           .bytes = rows * row_bytes(buffer.format),
                           .role = BufferRole::transient,
                           .usage = std::move(buffer.usage)});
}

Result<void> Graph::name_view(std::string id, VectorView view) {
  const bool is_taken = is_name_taken(*state_, id);
  if (auto ok = check_id("View", id, is_taken, state_->is_frozen); !ok) return ok;
  if (auto ok = check_views(*state_, concat("View '", id, "'"), view); !ok) return ok;
  state_->view_index.emplace(id, static_cast<std::uint32_t>(state_->views.size()));
  state_->views.push_back({std::move(id), std::move(view)});
  return {};
}

std::optional<VectorView> Graph::find_view(std::string_view id) const {
  const std::string key(id);
  if (const auto view = state_->view_index.find(key); view != state_->view_index.end()) {
    return state_->views[view->second].view;
  }
  const auto buffer = state_->buffer_index.find(key);
  if (buffer == state_->buffer_index.end()) return std::nullopt;
  return DataView{.buffer = {state_.get(), buffer->second},
                  .rows = state_->buffers[buffer->second].bytes / row_bytes(Format::uint32)};
}

Result<void> Graph::State::check_own_id() const { return check_utf8("Graph", id); }

Result<void> Graph::State::append(Node node) {
  const bool is_taken = node_index.contains(node.id);
  if (auto ok = check_id("Node", node.id, is_taken, is_frozen); !ok) return ok;
  if (find_invalid_utf8(node.condition())) {
    return fail(ErrorCode::invalid_graph,
                concat("The condition of node '", node.id, "' is not valid UTF-8."));
  }
  for (const std::string& earlier : node.depends_on()) {
    if (!find_invalid_utf8(earlier)) continue;
    return fail(ErrorCode::invalid_graph,
                concat("Node '", node.id, "' depends on an id that is not valid UTF-8."));
  }
  for (const BufferUse& use : node.uses) {
    if (auto ok = check_allowed(*this, node, use); !ok) return ok;
  }
  node_index.emplace(node.id, static_cast<std::uint32_t>(nodes.size()));
  nodes.push_back(std::move(node));
  return {};
}

}  // namespace wgprim
