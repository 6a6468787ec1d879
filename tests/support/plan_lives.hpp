// When the scratch of a plan is alive, read off its commands alone.
#pragma once

#include <cstdint>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// The first and the last command that names a transient buffer of the plan, both included.
struct TransientLife {
  std::uint32_t buffer = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool begins_with_write = false;
};

/// By first command, then by buffer; commands count through all passes.
std::vector<TransientLife> lives_of(const Plan& plan);

}  // namespace wgprim::testing
