// The start-up self-test of subgroup operations. Called by Device::profile.
#pragma once

#include <cstdint>
#include <vector>

#include "wgprim/native.hpp"

namespace wgprim::native {

struct SubgroupProbe {
  std::vector<SubgroupSelfTest> tests;
  bool all_passed = false;
  std::uint32_t subgroup_size = 0;
};

/// Runs the kernel `probe_subgroups` and compares each lane's report with what it should be. The
/// outcome is kept for the process by adapter and driver. Errors: those of running a plan.
Result<SubgroupProbe> probe_subgroups(Device& device);

}  // namespace wgprim::native
