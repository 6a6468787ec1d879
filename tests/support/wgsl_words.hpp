// WGSL text cut into words and signs, for wgsl_steps.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wgprim::testing {

/// Names, numbers and operators in order; no blanks, no comments.
std::vector<std::string> wgsl_words(std::string_view text);

}  // namespace wgprim::testing
