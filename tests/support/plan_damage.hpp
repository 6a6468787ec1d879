// Sound plans, damaged in one place each: what the plan check must say of them. Device rings only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// What native::check_plan says within WebGPU's default limits, or "sound".
std::string plan_fault(const Plan& plan);

struct Damage {
  const char* message;  ///< Part of what the check must say.
  std::function<void(Plan&)> apply;
};

/// Applies each damage to a copy of the sound plan and expects its message.
void expect_faults(const Plan& sound, const std::vector<Damage>& damages);

}  // namespace wgprim::testing
