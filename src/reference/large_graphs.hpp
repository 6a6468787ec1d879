// Graphs of any size in the shapes that are hardest on a planner. Shared by the planner's benchmark
// and the tests that hold it to its time.
#pragma once

#include <cstdint>

#include "wgprim/graph.hpp"
#include "wgprim/result.hpp"

namespace wgprim::reference {

enum class GraphShape {
  chain,  ///< Kernels and scans in turn, each reading what the one before it wrote.
  fan,    ///< One buffer that all but two nodes read, and whose next writer waits for all of them.
  nesting,  ///< Half of the nodes write a transient each, half read them back in reverse: all live.
};

const char* to_string(GraphShape shape);

/// Of `nodes` nodes, at least 4. Transients differ in size. Errors: none but those of Graph.
Result<Graph> large_graph(GraphShape shape, std::uint32_t nodes);

}  // namespace wgprim::reference
