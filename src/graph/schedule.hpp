// In which order the nodes of a graph run, and which order they may not run in. Called by
// Graph::compile; pure.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph_state.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

struct Schedule {
  std::vector<std::uint32_t> order;                ///< Nodes, by index, as they run.
  std::vector<std::vector<std::uint32_t>> before;  ///< By node: those that it waits for, ascending.
};

/// Waits come from hazards, whole buffers in the order of declaration (a reader waits for the last
/// writer, a writer for the last writer and the readers since), and from `depends_on`. The order is
/// by waves: all nodes that are ready, in the order of declaration, then again (Kahn 1962).
/// Linear in nodes and uses. Errors: an unknown id in `depends_on`; a cycle, with its nodes.
Result<Schedule> schedule(const Graph::State& graph);

/// Errors: a transient that a node reads before anything wrote it; one whose writers so far may all
/// be skipped although the reader runs.
Result<void> check_transients(const Graph::State& graph);

}  // namespace wgprim
