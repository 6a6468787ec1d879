// Budgets: a plan cut into steps that each stay within a bound, so that a long graph can be spread
// over frames. Executable::begin runs such steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// The most that one step may amount to; each at least 1. Invocations are those of launched
/// workgroups, padding included; a node with a GPU condition counts the workgroups it declares.
/// Commands are dispatches, copies, clears and external work.
struct Budget {
  std::uint64_t invocations = 0;
  std::optional<std::uint64_t> nodes;
  std::optional<std::uint64_t> commands;
  std::optional<std::uint64_t> read_bytes;
  std::optional<std::uint64_t> written_bytes;
};

/// Sets a bound by its name: "read_bytes=1048576". Errors (invalid_argument): another name, no
/// positive number, a bound that is set already.
Result<void> set_bound(Budget& budget, std::string_view assignment);

/// Fills `plan.steps`: nodes are added to a step until the next would exceed a bound, or the sum
/// reaches one. A node above the budget by itself is a step of its own, marked as oversized; nodes
/// are never cut. Errors: a bound of 0 (invalid_argument).
Result<void> apply_budget(Plan& plan, const Budget& budget);

}  // namespace wgprim
