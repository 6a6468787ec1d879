// The scalar oracle of reductions, for elements of any type and any operator: rows combined from
// the identity on, first to last. row_reduce.hpp reduces rows of words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/scan.hpp"

namespace wgprim::reference {

/// combine(...combine(identity, row begin)..., row end-1); the identity where end <= begin.
/// `rows` is anything with size() and operator[], `end` at most its size.
template <typename T, typename Combine>
T reduce_range(const auto& rows, const Operator<T, Combine>& op, std::size_t begin,
               std::size_t end) {
  T total = op.identity;
  for (std::size_t row = begin; row < end; ++row)
    total = op.combine(total, rows[row]);
  return total;
}

/// All rows; the identity where there is none.
template <typename T, typename Combine>
T reduce(const auto& rows, const Operator<T, Combine>& op) {
  return reduce_range(rows, op, 0, rows.size());
}

/// One total for each segment, in row order: none where there is no row. A segment starts at row 0
/// and at every row with a nonzero flag. Flags are none (one segment) or as many as the rows.
template <typename T, typename Combine>
std::vector<T> reduce_by_flags(const auto& rows, const Operator<T, Combine>& op,
                               SegmentFlags segment_flags) {
  std::vector<T> totals;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && !starts_segment(segment_flags, end))
      ++end;
    totals.push_back(reduce_range(rows, op, begin, end));
    begin = end;
  }
  return totals;
}

/// For k+1 offsets k totals: total i is of the rows from offset i to before offset i+1. Offsets
/// beyond the rows act as their number; a range that ends before it starts is empty.
template <typename T, typename Combine>
std::vector<T> reduce_by_offsets(const auto& rows, const Operator<T, Combine>& op,
                                 std::span<const std::uint32_t> offsets) {
  std::vector<T> totals;
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    totals.push_back(
        reduce_range(rows, op, offsets[i - 1], std::min<std::size_t>(offsets[i], rows.size())));
  }
  return totals;
}

}  // namespace wgprim::reference
