// Operands of one operation that are chunked differently, walked together. A span is a maximal run
// of rows inside one chunk of every operand. Called by copies; allocates nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "wgprim/view.hpp"

namespace wgprim {

/// Calls `take(std::array<DataView, K>)` for each span in logical order, until the first operand
/// ends; the others have at least as many rows. Packed views.
template <std::size_t K, class Take>
void for_each_span(const std::array<const VectorView*, K>& operands, Take take) {
  std::array<std::size_t, K> chunk{};
  std::array<std::uint64_t, K> taken{};  // Rows of that chunk.
  const auto rest_of = [&](std::size_t k) { return operands[k]->chunks[chunk[k]].rows - taken[k]; };
  const auto skip_ended = [&](std::size_t k) {
    for (; chunk[k] < operands[k]->chunks.size() && rest_of(k) == 0; ++chunk[k])
      taken[k] = 0;
    return chunk[k] < operands[k]->chunks.size();
  };
  while (true) {
    std::uint64_t rows = kMaxRows;
    for (std::size_t k = 0; k < K; ++k) {
      if (!skip_ended(k)) return;
      rows = std::min(rows, rest_of(k));
    }
    std::array<DataView, K> span;
    for (std::size_t k = 0; k < K; ++k) {
      span[k] = operands[k]->chunks[chunk[k]];
      span[k].byte_offset += taken[k] * row_bytes(span[k].format);
      span[k].rows = rows;
      taken[k] += rows;
    }
    take(span);
  }
}

}  // namespace wgprim
