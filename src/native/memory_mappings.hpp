// How many bind groups the system lets a driver have. Called where an executable is made and where
// its bind groups are.
#pragma once

#include "native/device_state.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim::native {

/// lavapipe maps memory for each bind group, and ends the process where Linux gives it no more
/// mappings (vm.max_map_count); other drivers do not. Error: limit_exceeded where a bind group for
/// each dispatch of the plan would be too many.
Result<void> check_memory_mappings(const Device::State& device, const Plan& plan);

}  // namespace wgprim::native
