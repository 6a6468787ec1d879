// Random graphs, each from one number: the same number makes the same graph on every machine. They
// hold everything that a graph can: imports and transients, chunked views, scans with row counts,
// the user's kernels, copies, clears, external work, conditions, dependencies (a few of them
// cyclic), declared usages, and limits so low that some graphs do not fit them.
// Beside each graph stands what was put into it, for oracles that must not ask the planner.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wgprim/graph.hpp"

namespace wgprim::testing {

/// A node as its description says: what an oracle of order and lifetimes needs to know.
struct NodeFacts {
  std::string id;
  std::vector<std::uint32_t> reads;  ///< Buffers by index, ascending.
  std::vector<std::uint32_t> writes;
  std::vector<std::string> depends_on;
  std::string condition;
  bool operator==(const NodeFacts&) const = default;
};

struct RandomGraph {
  Graph graph;
  std::vector<NodeFacts> nodes;       ///< In the order of declaration.
  std::vector<bool> is_transient;     ///< Of each buffer.
  std::vector<std::string> settings;  ///< Lines that make `profile` out of the default one.
  DeviceProfile profile;
};

enum class Externals { allowed, left_out };

RandomGraph random_graph(std::uint64_t seed, Externals externals = Externals::allowed);

}  // namespace wgprim::testing
