// How far a binding reaches: what sections of rows must keep to, and buffers of totals. Called by
// ops/sections.cpp and ops/cut_sections.cpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include "wgprim/detail/plan_rules.hpp"
#include "wgprim/limits.hpp"

namespace wgprim {

/// Indices in WGSL have 32 bits, whatever a device lets one binding hold.
inline constexpr std::uint64_t kIndexableBytes = std::uint64_t{4} << 32;

inline std::uint64_t aligned_down(std::uint64_t offset) {
  return offset - offset % kBindingAlignment;
}

inline std::uint64_t largest_binding(const Limits& limits) {
  return std::min(limits.max_storage_buffer_binding_size, kIndexableBytes);
}

/// As many of these rows as leave no block cut short, if they are more than a block.
inline std::uint64_t whole_blocks(std::uint64_t rows, std::uint64_t block_rows) {
  return rows > block_rows ? rows / block_rows * block_rows : rows;
}

/// Whether one binding can hold the bytes, wherever they start.
inline bool fits(std::uint64_t begin, std::uint64_t end, const Limits& limits) {
  return end - aligned_down(begin) <= largest_binding(limits);
}

}  // namespace wgprim
