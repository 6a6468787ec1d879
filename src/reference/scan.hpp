// The scalar oracle of scans: one row combined after the other, nothing clever. Tests, benchmarks
// and the command line's --verify hold the GPU's results against it. Here are the definition, for
// elements of any type and any operator, and sums of unsigned integers; row_scan.hpp scans rows of
// words, row_operators.hpp has the operators.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "wgprim/ops.hpp"

namespace wgprim::reference {

/// An associative operator on T, commutative or not, and its neutral element.
template <typename T, typename Combine = std::function<T(const T&, const T&)>>
struct Operator {
  T identity;
  Combine combine;
  /// What exclusive scans start every segment with instead of the identity: +0.0 for f32 sums.
  std::optional<T> exclusive_start = std::nullopt;

  T start(ScanMode mode) const {
    return mode == ScanMode::exclusive ? exclusive_start.value_or(identity) : identity;
  }
};

/// What one row of a scan comes to, in both modes.
template <typename T>
struct Prefixes {
  T exclusive;
  T inclusive;
};

/// The definition of the scan, a row at a time: combine(what came before, the row).
template <typename T, typename Combine>
class RunningValue {
 public:
  /// Every segment begins with `start`, but for the first one, which begins with `entering`.
  RunningValue(T start, T entering, Combine combine)
      : start_(start), value_(entering), combine_(std::move(combine)) {}

  Prefixes<T> add(const T& row, bool starts_segment = false) {
    if (starts_segment) restart();
    const T before = value_;
    value_ = combine_(before, row);
    return {before, value_};
  }

  void restart() { value_ = start_; }
  /// Of the segment that is open.
  const T& value() const { return value_; }

 private:
  T start_;
  T value_;
  Combine combine_;
};

/// Running sums modulo 2^(bits of T), from 0 at row 0 and at every row that starts a segment.
template <std::unsigned_integral T>
struct RunningTotal : RunningValue<T, std::plus<T>> {
  RunningTotal() : RunningValue<T, std::plus<T>>(0, 0, {}) {}
};

/// One flag a row, nonzero where a segment starts; empty where the rows are one segment. An
/// unsegmented scan and a scan without a set flag are the same.
using SegmentFlags = std::span<const std::uint32_t>;

inline bool starts_segment(SegmentFlags flags, std::size_t row) {
  return !flags.empty() && flags[row] != 0;
}

/// How to scan rows of T.
template <typename T>
struct ScanDescription {
  ScanMode mode = ScanMode::exclusive;
  /// None, or one a row. In reverse a flagged row is the last of its segment in scan direction.
  SegmentFlags segment_flags = {};
  /// From the last row to the first. The operands of `combine` come in scan direction too:
  /// inclusive, row i of n is combine(...combine(row n-1, row n-2)..., row i).
  bool is_reverse = false;
  /// Replaces the identity: every segment starts with it, and inclusive rows include it.
  std::optional<T> init = std::nullopt;
  /// What the first row in scan direction continues, unless that row starts a segment (in reverse
  /// it never does: its flag ends one).
  std::optional<T> carry_in = std::nullopt;
};

/// Scans `rows` (anything with size() and operator[]) and calls write(row, value) for each of them
/// in scan direction. The result is the carry out: the value of the open segment after the last
/// row in scan direction; in reverse with row 0 flagged, and without rows and carry in, it is what
/// segments start with. Flags are none or as many as the rows.
template <typename T, typename Combine>
T scan_each(const auto& rows, const Operator<T, Combine>& op, const ScanDescription<T>& how,
            auto write) {
  const T start = how.init.value_or(op.start(how.mode));
  RunningValue<T, Combine> running(start, how.carry_in.value_or(start), op.combine);
  for (std::size_t step = 0; step < rows.size(); ++step) {
    const std::size_t row = how.is_reverse ? rows.size() - 1 - step : step;
    const bool is_flagged = starts_segment(how.segment_flags, row);
    const Prefixes<T> prefixes = running.add(rows[row], is_flagged && !how.is_reverse);
    if (is_flagged && how.is_reverse) running.restart();
    write(row, how.mode == ScanMode::exclusive ? prefixes.exclusive : prefixes.inclusive);
  }
  return running.value();
}

/// A row of output for every row of input, and what a scan of the rows behind them continues with.
template <typename T>
struct ScanResult {
  std::vector<T> output;
  T carry_out;
};

/// Flags are none or as many as the rows.
template <typename T, typename Combine>
ScanResult<T> scan(std::span<const std::type_identity_t<T>> input, const Operator<T, Combine>& op,
                   const ScanDescription<std::type_identity_t<T>>& how = {}) {
  std::vector<T> output(input.size());
  const T carry_out =
      scan_each(input, op, how, [&](std::size_t row, const T& value) { output[row] = value; });
  return {std::move(output), carry_out};
}

/// Sums modulo 2^(bits of T).
template <std::unsigned_integral T>
Operator<T, std::plus<T>> unsigned_sum() {
  return {.identity = 0, .combine = {}};
}

/// Row i of the result is the sum of the rows before i, from the start of i's segment on.
/// Flags are none or as many as the rows. For other types than uint32: exclusive_scan<T>(...).
template <std::unsigned_integral T = std::uint32_t>
std::vector<T> exclusive_scan(std::span<const std::type_identity_t<T>> input,
                              SegmentFlags segment_flags = {}) {
  return scan(input, unsigned_sum<T>(),
              {.mode = ScanMode::exclusive, .segment_flags = segment_flags})
      .output;
}

/// Row i of the result is the sum of the rows up to and including i, from the start of i's segment
/// on. Flags are none or as many as the rows. For other types than uint32: inclusive_scan<T>(...).
template <std::unsigned_integral T = std::uint32_t>
std::vector<T> inclusive_scan(std::span<const std::type_identity_t<T>> input,
                              SegmentFlags segment_flags = {}) {
  return scan(input, unsigned_sum<T>(),
              {.mode = ScanMode::inclusive, .segment_flags = segment_flags})
      .output;
}

/// The first row where the two results contradict the input or each other, found without forming a
/// running sum: exclusive = inclusive - x everywhere; exclusive is 0 where a segment starts and the
/// inclusive value of the row before elsewhere. Nothing where all rows are sound.
/// The three arrays have equal lengths; flags are none or as many.
template <std::unsigned_integral T = std::uint32_t>
std::optional<std::size_t> find_broken_relation(std::span<const std::type_identity_t<T>> input,
                                                std::span<const std::type_identity_t<T>> exclusive,
                                                std::span<const std::type_identity_t<T>> inclusive,
                                                SegmentFlags segment_flags = {}) {
  for (std::size_t row = 0; row < input.size(); ++row) {
    const bool is_start = row == 0 || starts_segment(segment_flags, row);
    const T entering = is_start ? T{0} : inclusive[row - 1];
    const T difference = static_cast<T>(inclusive[row] - input[row]);
    if (exclusive[row] != entering || exclusive[row] != difference) return row;
  }
  return std::nullopt;
}

}  // namespace wgprim::reference
