// What a Graph holds. Operations add themselves to it (src/ops), compile and the documents read it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wgprim/graph.hpp"

namespace wgprim {

/// A declared buffer. Its place in the list is its BufferId::index and its index in the plan.
struct GraphBuffer {
  std::string id;
  std::uint64_t bytes = 0;
  BufferRole role = BufferRole::imported;  ///< imported or transient.
  std::vector<Use> usage;                  ///< As declared; empty: whatever nodes ask for.
};

struct NamedView {
  std::string id;
  VectorView view;
};

/// One use of a buffer by a node; a node may use a buffer several times.
struct BufferUse {
  std::uint32_t buffer = 0;
  Use use = Use::storage_read;
};

/// What an operation asks of its graph: hazards, order and lifetimes come from here, so that
/// nothing else needs to know operations.
struct Node {
  std::string id;
  Operation operation;
  std::vector<BufferUse> uses;

  const std::vector<std::string>& depends_on() const {
    return std::visit([](const auto& op) -> const auto& { return op.depends_on; }, operation);
  }
  const std::string& condition() const {
    return std::visit([](const auto& op) -> const auto& { return op.condition; }, operation);
  }
};

inline bool reads(Use use) { return use != Use::storage_write && use != Use::copy_destination; }
inline bool writes(Use use) {
  return use == Use::storage_write || use == Use::storage_read_write ||
         use == Use::copy_destination;
}

using IndexById = std::unordered_map<std::string, std::uint32_t>;

struct Graph::State {
  std::string id;
  std::vector<GraphBuffer> buffers;
  std::vector<NamedView> views;
  std::vector<Node> nodes;
  IndexById buffer_index;
  IndexById view_index;
  IndexById node_index;
  bool is_frozen = false;

  const GraphBuffer& buffer(BufferId buffer_id) const { return buffers[buffer_id.index]; }

  /// Error: the graph's own id is not valid UTF-8. Asked by what can fail, which a constructor
  /// cannot.
  Result<void> check_own_id() const;

  /// The one door for operations, once their operands are checked: takes the node in.
  /// Errors: a frozen graph, an empty or taken id, a use that a buffer was not declared for.
  Result<void> append(Node node);
};

}  // namespace wgprim
