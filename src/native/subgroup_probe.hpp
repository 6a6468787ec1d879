// The start-up self-test of subgroup operations. Called by Device::profile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wgprim/native.hpp"

namespace wgprim::native {

struct SubgroupProbe {
  std::vector<SubgroupSelfTest> tests;
  bool all_passed = false;
  std::uint32_t subgroup_size = 0;
};

/// What each lane tells, in subgroup order: of lane numbers from 1 on the sums, those of the lanes
/// before, across and last; and the word of a vote for multiples of three that its bit is in.
struct LaneReport {
  std::uint32_t subgroup, lane, size, inclusive, exclusive, total;
  std::uint32_t up, across, last, vote;
};

/// Holds one workgroup's reports against what they should be, for any power-of-two subgroup size.
SubgroupProbe judge(std::span<const LaneReport> reports);

/// Runs the kernel `probe_subgroups` and compares each lane's report with what it should be. The
/// outcome is kept for the process by adapter and driver. A kernel that does not compile or run is
/// a failed test. Errors: device_lost.
Result<SubgroupProbe> probe_subgroups(Device& device);

}  // namespace wgprim::native
