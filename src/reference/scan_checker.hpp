// Checks the result of a scan while it streams by, in constant memory: what --verify does with
// arrays that may be larger than the host can hold twice. Called by the command line and tests.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "reference/scan.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim::reference {

/// A row whose result is wrong. Rows count from 0 over all blocks.
template <std::unsigned_integral T>
struct Mismatch {
  std::uint64_t row;
  T expected;
  T found;
};

/// Feed it the blocks of one array in order, split anywhere; it stays at the first mismatch.
template <std::unsigned_integral T = std::uint32_t>
class ScanChecker {
 public:
  explicit ScanChecker(ScanMode mode) : mode_(mode) {}

  /// Checks the next rows: `output` against the scan of everything fed so far.
  /// Errors: verification_failed with the first row that differs, its value and the right one, now
  /// and in every later call; invalid_argument for blocks of unequal lengths, which checks nothing.
  Result<void> check(std::span<const T> input, std::span<const T> output,
                     SegmentFlags segment_flags = {}) {
    if (auto valid = check_lengths(input.size(), output.size(), segment_flags); !valid) {
      return valid;
    }
    for (std::size_t i = 0; i < input.size() && !mismatch_; ++i) {
      const auto prefixes = total_.add(input[i], starts_segment(segment_flags, i));
      const bool is_exclusive = mode_ == ScanMode::exclusive;
      const T expected = is_exclusive ? prefixes.exclusive : prefixes.inclusive;
      if (output[i] == expected) {
        ++rows_checked_;
      } else {
        mismatch_ = Mismatch<T>{rows_checked_, expected, output[i]};
      }
    }
    if (!mismatch_) return {};
    return fail(ErrorCode::verification_failed,
                concat("Row ", mismatch_->row, " of the result is ", mismatch_->found,
                       ", the reference says ", mismatch_->expected, "."));
  }

  /// Rows found right, all before the first mismatch. Compare with the array's length at the end.
  std::uint64_t rows_checked() const { return rows_checked_; }
  const std::optional<Mismatch<T>>& mismatch() const { return mismatch_; }

 private:
  static Result<void> check_lengths(std::size_t input_rows, std::size_t output_rows,
                                    SegmentFlags segment_flags) {
    const bool is_segmented = !segment_flags.empty();
    if (output_rows != input_rows || (is_segmented && segment_flags.size() != input_rows)) {
      return fail(ErrorCode::invalid_argument,
                  concat("A block of ", input_rows, " input rows comes with ", output_rows,
                         " output rows and ", segment_flags.size(), " segment flags."));
    }
    return {};
  }

  ScanMode mode_;
  RunningTotal<T> total_;
  std::uint64_t rows_checked_ = 0;
  std::optional<Mismatch<T>> mismatch_;
};

}  // namespace wgprim::reference
