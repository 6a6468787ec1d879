// What a Graph holds. Operations add themselves to it (src/ops), compile reads it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "wgprim/graph.hpp"

namespace wgprim {

struct Node {
  std::string id;
  Operation operation;
};

struct Graph::State {
  std::vector<ImportedBuffer> buffers;
  std::vector<Node> nodes;
  std::unordered_set<std::string> buffer_ids;
  std::unordered_set<std::string> node_ids;
  bool is_frozen = false;

  const ImportedBuffer& buffer(BufferId id) const { return buffers[id.index]; }

  /// Errors: a frozen graph, an empty id, an id already taken.
  Result<void> check_node_id(std::string_view id) const;
  void append(std::string id, Operation operation);
};

}  // namespace wgprim
