// Checks results of scans and reductions of numbers: every integer and every minimum and maximum
// exactly, sums of float32 within bounded_sum's error bound. What --verify and `wgprim check` do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "reference/scan.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim::reference {

/// How far a float32 sum was from the sum in double, and how far it may have been: of the row
/// that was furthest off.
struct SumError {
  double error = 0;
  double bound = 0;
};

/// A row whose result is wrong, in words.
struct WrongRow {
  std::uint64_t row = 0;
  std::string found;
  std::string expected;  ///< "8", or "8 within 0.01".
};

/// Feed it the words of one result in order, split anywhere; it stays at the first wrong row.
/// Memory: that of 65,536 rows, and for a reverse scan some words for each so many.
class RowChecker {
 public:
  /// `input` are whole rows of options.format, a number, and options.op is sum, min or max; the
  /// flags are none or at least as many. Both must outlive the checker.
  RowChecker(std::span<const std::uint32_t> input, const ScanOptions& options,
             SegmentFlags segment_flags = {});
  RowChecker(RowChecker&&) noexcept;
  RowChecker& operator=(RowChecker&&) noexcept;
  ~RowChecker();

  /// Errors: verification_failed with the first row that differs, now and in every later call, and
  /// for more rows than the input has.
  Result<void> check(std::span<const std::uint32_t> output);

  /// Rows found right, all before the first wrong one.
  std::uint64_t rows_checked() const;
  const std::optional<WrongRow>& wrong_row() const;
  /// Nothing where there are no float32 sums, or none of which anything can be said.
  const std::optional<SumError>& greatest_error() const;

 private:
  class Comparison;
  class WordSums;
  template <typename T>
  class ComparisonOf;
  std::unique_ptr<Comparison> comparison_;
};

/// Checks one value against the combination of all rows by sum, min or max. `error`, if any, takes
/// how far a float32 sum is off, where it is further than what stands there. Errors:
/// verification_failed.
Result<void> check_reduction(std::span<const std::uint32_t> input, OperatorKind op,
                             const wgprim::RowValue& found,
                             std::optional<SumError>* error = nullptr);

/// Checks packed rows of `format`, one a segment, against what each segment adds up to; `flags` has
/// one word a row of the input at least. `error` as above. Errors: verification_failed with the
/// first segment that differs, or if there are too many or too few.
Result<void> check_segment_totals(std::span<const std::uint32_t> input, SegmentFlags flags,
                                  OperatorKind op, Format format,
                                  std::span<const std::uint32_t> totals,
                                  std::optional<SumError>* error = nullptr);

/// "7", "-5", "0.1" as %.9g: a number of the value's format.
std::string to_text(const wgprim::RowValue& value);

}  // namespace wgprim::reference
