// The rows that a scan should give, block by block from row 0 on, whichever way it runs: what a
// result that streams by is compared with. A reverse scan is gone through once beforehand, to know
// what enters each block from behind. Used by row_checker.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "reference/scan.hpp"

namespace wgprim::reference {

template <typename T>
class ExpectedRows {
 public:
  using RowAt = std::function<T(std::uint64_t row)>;
  static constexpr std::uint64_t kBlockRows = 65536;

  /// `how` without a carry_in; its flags are none or at least as many as the rows.
  ExpectedRows(std::uint64_t rows, RowAt row_at, const Operator<T>& op, ScanDescription<T> how)
      : rows_(rows),
        row_at_(std::move(row_at)),
        how_(how),
        running_(how.init.value_or(op.start(how.mode)), how.init.value_or(op.start(how.mode)),
                 op.combine) {
    if (how_.is_reverse) find_entering();
  }

  /// The next rows; none behind the last one.
  const std::vector<T>& next_block() {
    const std::uint64_t end = std::min(rows_, first_ + kBlockRows);
    block_.resize(end - first_);
    if (how_.is_reverse && !block_.empty()) {
      running_ = entering_[first_ / kBlockRows];
      for (std::uint64_t row = end; row-- > first_;)
        block_[row - first_] = add(row);
    } else {
      for (std::uint64_t row = first_; row < end; ++row)
        block_[row - first_] = add(row);
    }
    first_ = end;
    return block_;
  }

 private:
  using Combine = std::function<T(const T&, const T&)>;

  T add(std::uint64_t row) {
    const bool is_flagged = starts_segment(how_.segment_flags, row);
    const auto prefixes = running_.add(row_at_(row), is_flagged && !how_.is_reverse);
    if (is_flagged && how_.is_reverse) running_.restart();
    return how_.mode == ScanMode::exclusive ? prefixes.exclusive : prefixes.inclusive;
  }

  void find_entering() {
    const auto blocks = (rows_ + kBlockRows - 1) / kBlockRows;
    entering_.assign(blocks, running_);
    for (std::uint64_t block = blocks; block-- > 1;) {
      entering_[block] = running_;
      const std::uint64_t end = std::min(rows_, (block + 1) * kBlockRows);
      for (std::uint64_t row = end; row-- > block * kBlockRows;)
        add(row);
    }
    if (blocks > 0) entering_[0] = running_;
  }

  std::uint64_t rows_;
  RowAt row_at_;
  ScanDescription<T> how_;
  RunningValue<T, Combine> running_;
  std::vector<RunningValue<T, Combine>> entering_;  ///< Of each block of a reverse scan.
  std::vector<T> block_;
  std::uint64_t first_ = 0;
};

}  // namespace wgprim::reference
