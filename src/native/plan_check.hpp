// Whether a plan can be executed at all: a plan may come from a file, and whatever in it
// contradicts itself must become an Error here, since WebGPU would answer some of it by ending the
// process. Called when an executable is created. Pure: touches no device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wgprim/detail/plan_rules.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/limits.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim::native {

/// Errors: invalid_argument for a contradiction, aliasing for a dispatch that reads and writes one
/// buffer (or writes overlapping ranges of it), limit_exceeded.
Result<void> check_plan(const Plan& plan, const Limits& limits);

/// The nodes' and steps' part of check_plan; ids, and indices that are in range.
Result<void> check_nodes(const Plan& plan);

/// The dispatches' part; buffers, slots, kernels and nodes are in order already.
Result<void> check_dispatches(const Plan& plan, const Limits& limits);

/// The last part: copies, clears, external work, and the order of all commands.
Result<void> check_passes(const Plan& plan);

/// One number for each piece of memory: transients that share a slot are the same.
std::uint64_t memory_of(const Plan& plan, std::uint32_t buffer);

/// Whether `buffer` exists, may be used so, and holds `bytes` (more than none) from `offset` on.
Result<void> check_range(const Plan& plan, std::string_view user, std::uint32_t buffer,
                         std::uint64_t offset, std::uint64_t bytes, std::uint32_t usage);

template <class... Parts>
std::unexpected<Error> contradiction(const Parts&... parts) {
  return fail(ErrorCode::invalid_argument, concat("The plan contradicts itself: ", parts..., "."));
}

}  // namespace wgprim::native
