// What an encode says to single nodes: row counts and the calls of external work. Called by
// Executable::encode and begin, after the conditions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/id_index.hpp"
#include "native/resolution.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

class NodeTable {
 public:
  explicit NodeTable(const Plan& plan);

  /// Fills `rows` and `key.has_row_counts`. Errors: an unknown or repeated node, one that takes no
  /// row count, a count above the capacity.
  Result<void> resolve_row_counts(const Plan& plan, std::span<const RowCount> counts,
                                  Resolution& resolution) const;

  /// Fills `calls`. Errors: an unknown, repeated, empty or missing call.
  Result<void> resolve_externals(const Plan& plan, std::span<const ExternalCall> calls,
                                 Resolution& resolution) const;

  /// Nodes that hold external work, ascending.
  std::span<const std::uint32_t> external_nodes() const { return external_nodes_; }
  /// The nodes of which the device decides how much runs, by node.
  std::span<const char> is_gpu_resolved() const { return is_gpu_resolved_; }

 private:
  IdIndex by_id_;
  std::vector<std::uint32_t> external_nodes_;
  std::vector<char> is_gpu_resolved_;
};

}  // namespace wgprim::native
