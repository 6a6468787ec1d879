// WGSL text as tokens, comments left out: words, numbers and single signs, each a piece of the
// text. Called by read_entry_point.
#pragma once

#include <string_view>
#include <vector>

namespace wgprim::kernels {

/// Views into `wgsl`, in order.
std::vector<std::string_view> wgsl_tokens(std::string_view wgsl);

}  // namespace wgprim::kernels
