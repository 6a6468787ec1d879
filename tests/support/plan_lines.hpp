// Plans of scans and reductions as tables for tests, a line for each dispatch.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Where each word of the parameter block of scans and reductions stands, by its name in
/// shaders/shared/parameters.wgsl.
const std::map<std::string, std::size_t, std::less<>>& parameter_places();

/// "scan_blocks 2x1x1 (257 2 input=1 output=1) output[1032] sums1[8] input@256[1032]" is the
/// kernel, its shape, its rows, its groups, whatever other parameters are not 0, and its bindings:
/// the buffer, the byte it is bound from (if not 0), and how many bytes.
std::string lines_of(const Plan& plan);

}  // namespace wgprim::testing
