// The scalar oracle of every reduction: rows of 1 to 4 words, any operator, of all rows, by flags
// and by offsets. Called by tests and by whoever verifies a device's result.
//
// `words` are packed rows of op.words words each. Errors of all: invalid_argument for words that
// are no whole rows, and for operators of 0 or more than kMaxRowWords words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/row.hpp"
#include "reference/row_operators.hpp"
#include "reference/scan.hpp"
#include "wgprim/result.hpp"

namespace wgprim::reference {

/// The combination of all rows, the identity where there is none.
Result<Row> reduce_rows(std::span<const std::uint32_t> words, const RowOperator& op);

struct RowTotals {
  std::vector<std::uint32_t> totals;  ///< Packed rows of op.words words.
  std::uint64_t count = 0;            ///< How many totals.
};

/// One total for each segment, in row order. Row 0 starts a segment whatever its flag, every other
/// row with a nonzero flag. No rows: no totals.
/// Errors also: invalid_argument for flags that are neither none (one segment) nor one a row.
Result<RowTotals> reduce_rows_by_flags(std::span<const std::uint32_t> words, const RowOperator& op,
                                       SegmentFlags segment_flags);

/// k totals for k+1 offsets: total i is of the rows from offset i to before offset i+1. Offsets
/// beyond the rows act as their number; a range that ends where it starts or before is empty, and
/// its total the identity.
/// Errors also: invalid_argument for no offsets.
Result<RowTotals> reduce_rows_by_offsets(std::span<const std::uint32_t> words,
                                         const RowOperator& op,
                                         std::span<const std::uint32_t> offsets);

}  // namespace wgprim::reference
