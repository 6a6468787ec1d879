// Binding numbers of the kernels over rows, as shaders/shared declares them. Used by
// ops/row_dispatch*.cpp.
#pragma once

#include <array>
#include <cstdint>

#include "ops/row_dispatch.hpp"

namespace wgprim {

inline constexpr std::uint32_t kOutputBinding = 1;
inline constexpr std::uint32_t kSpineBinding = 2;
inline constexpr std::uint32_t kInputBinding = 3;
inline constexpr std::uint32_t kRowCountBinding = 4;
inline constexpr std::uint32_t kFlagsBinding = 5;
inline constexpr std::uint32_t kCarryInBinding = 6;  // Or the open rows of a block; never both.
inline constexpr std::uint32_t kCarryOutBinding = 7;
inline constexpr std::uint32_t kRunsBinding = 8;
inline constexpr std::uint32_t kInputHighBinding = 9;
inline constexpr std::uint32_t kOutputHighBinding = 10;
inline constexpr std::uint32_t kCountedBinding = 6;  // Segments start from no carry.
inline constexpr std::uint32_t kTotalItemBinding = 7;
inline constexpr std::array<std::uint32_t, kMostLevels> kLevelBindings = {2, 6, 7};

}  // namespace wgprim
