// The kernels of the scan family for tests of plans: scan_blocks, add_block_offsets, reduce_tiles,
// scan_tiles, reduce_ranges, in any specialisation. Each workgroup is computed as a whole, its rows
// one after the other, so that this is a check of plans, not of shader text.
#pragma once

#include <cstdint>

#include "support/inspected_memory.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Runs the workgroups of a dispatch from the last to the first, so that nothing works just because
/// the order is kind. Stops at the first fault. Throws std::runtime_error for a kernel it does not
/// know.
void run_dispatch(InspectedMemory& memory, const Plan& plan, std::uint32_t index);

}  // namespace wgprim::testing
