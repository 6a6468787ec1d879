// Runs the block scan of a kernel's very text, lane by lane, in an order that is as unkind as WGSL
// allows: between two barriers each subgroup goes as far as it can before the next one starts.
// CPU drivers run subgroups in ascending order only and so hide two of the ladder's three barriers.
#pragma once

#include <string>
#include <vector>

#include "support/case.hpp"

namespace wgprim::testing {

enum class LaneOrder { ascending, descending };

struct BlockRun {
  Words before;                    ///< Of each lane: the lanes before it,
  Words through;                   ///< and with its own value.
  std::vector<Words> at_barriers;  ///< Workgroup memory as each barrier found it.
  std::string fault;               ///< Lanes that wait at different barriers; else empty.
};

/// Runs `block_scan` over these values, one a lane, as many lanes as values. Workgroup memory
/// starts poisoned. Subgroups of one lane are lanes on their own.
BlockRun run_block_scan(std::string_view wgsl, const Words& values, std::uint32_t subgroup_size,
                        LaneOrder order);

}  // namespace wgprim::testing
