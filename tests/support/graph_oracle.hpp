// What must become of a graph, worked out the slow and plain way from the contract (H-1, H-2, G-1,
// CO-1, TR-1, TR-2) and never from the planner. Called by the tests of random graphs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/plan_lives.hpp"
#include "support/random_graph.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Nodes by their place in the order of declaration.
using NodeList = std::vector<std::uint32_t>;

/// H-1 and `depends_on`: which nodes each node waits for, ascending. Nothing where a node depends
/// on one that does not exist.
std::optional<std::vector<NodeList>> waits_of(const std::vector<NodeFacts>& nodes);

/// H-2: the order in waves; shorter than the graph where there is a cycle.
NodeList order_in_waves(const std::vector<NodeList>& waits);

/// G-1 and CO-1: whether of every transient that a node reads there is an earlier writer that runs
/// whenever the node does: always, or under the same condition.
bool reads_only_what_is_written(const RandomGraph& random);

/// TR-2: bytes of scratch by the rule "smallest free slot, grown if too small".
std::uint64_t scratch_by_growing_slots(const Plan& plan, const std::vector<TransientLife>& lives);

}  // namespace wgprim::testing
