// The scalar oracle of every scan: rows of 1 to 4 words, any operator, both modes and directions,
// segments, start values and carries. Called by tests and by whoever verifies a device's result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/row.hpp"
#include "reference/row_operators.hpp"
#include "reference/scan.hpp"
#include "wgprim/result.hpp"

namespace wgprim::reference {

using RowScanDescription = ScanDescription<Row>;

struct RowScanResult {
  std::vector<std::uint32_t> output;  ///< As many words as the input.
  Row carry_out{};
};

/// Scans packed rows of op.words words. ScanDescription says what each field means, scan_each what
/// carry_out is.
/// Errors: invalid_argument for words that are no whole rows, flags that are neither none nor one
/// a row, carry_in together with init, and operators of 0 or more than kMaxRowWords words.
Result<RowScanResult> scan_rows(std::span<const std::uint32_t> words, const RowOperator& op,
                                const RowScanDescription& how = {});

/// The words as rows, if they are what scan_rows and the reductions ask for.
Result<PackedRows> check_rows(std::span<const std::uint32_t> words, const RowOperator& op,
                              SegmentFlags segment_flags = {});

}  // namespace wgprim::reference
