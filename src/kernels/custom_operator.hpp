// The text of a user's operator, before it goes into our kernels. Called where scans and reductions
// are declared, and where plans of unknown origin are checked.
#pragma once

#include <string_view>

#include "wgprim/result.hpp"

namespace wgprim::kernels {

/// Errors: invalid_argument for text that lacks `fn identity` or `fn combine`, holds anything at
/// module scope but functions, constants, aliases and structs, has attributes, calls barriers or
/// subgroup operations, uses a name that the kernels declare, leaves a comment or a bracket open,
/// or is beyond the bounds of kernels/wgsl_bounds.hpp. What it means is the compiler's to say.
Result<void> check_operator(std::string_view wgsl);

}  // namespace wgprim::kernels
