// What WGSL may ask of a compiler's stack. naga descends into text and into what it refers to by
// recursion and bounds little of it, so that a deep text ends the process. Called on whatever text
// is not our own, before a compiler sees it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "wgprim/result.hpp"

namespace wgprim::kernels {

/// How deep a text may nest, in the stack that one operator of an expression takes: naga's deepest
/// descent, as measured, fits a stack of 512 KB 1.6 times. Chains (1 + 1 + ..., else if ...) nest.
inline constexpr std::size_t kMostWgslDepth = 512;

/// Each declaration may refer to the next, and naga follows them by recursion as well.
inline constexpr std::size_t kMostWgslDeclarations = 1024;

/// `tokens` are those of `wgsl`. Errors: invalid_argument for text that is not UTF-8, nests deeper,
/// or declares more at module scope.
Result<void> check_bounds(std::string_view wgsl, std::span<const std::string_view> tokens);

}  // namespace wgprim::kernels
