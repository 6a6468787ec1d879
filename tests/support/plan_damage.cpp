// Damaged plans held against the check of the executor.
#include "support/plan_damage.hpp"

#include <gtest/gtest.h>

#include "native/plan_check.hpp"

namespace wgprim::testing {

std::string plan_fault(const Plan& plan) {
  const auto checked = native::check_plan(plan, {});
  return checked ? "sound" : checked.error().message;
}

void expect_faults(const Plan& sound, const std::vector<Damage>& damages) {
  EXPECT_EQ(plan_fault(sound), "sound");
  for (const Damage& damage : damages) {
    Plan plan = sound;
    damage.apply(plan);
    const std::string message = plan_fault(plan);
    EXPECT_NE(message.find(damage.message), std::string::npos)
        << damage.message << " / " << message;
  }
}

}  // namespace wgprim::testing
