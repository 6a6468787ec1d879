// What must hold for every plan whatever the operation, checked without running it: limits obeyed,
// ranges inside their buffers, no two uses of one buffer in a dispatch that WebGPU refuses, scratch
// that is never shared by two live buffers, totals that are the sums of their parts.
#pragma once

#include <string>
#include <vector>

#include "wgprim/limits.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// A sentence for each violation; empty for a sound plan.
std::vector<std::string> find_faults(const Plan& plan, const DeviceProfile& profile);

}  // namespace wgprim::testing
