// The scalar oracle of prefix sums: one addition after the other, nothing clever. Tests,
// benchmarks and the command line's --verify hold the GPU's results against it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace wgprim::reference {

/// What one row of a scan comes to, in both modes.
template <std::unsigned_integral T>
struct Prefixes {
  T exclusive;
  T inclusive;
};

/// The definition of the scan, a row at a time. Sums are modulo 2^(bits of T). The total restarts
/// at row 0 and at every row that starts a segment.
template <std::unsigned_integral T>
class RunningTotal {
 public:
  Prefixes<T> add(T value, bool starts_segment = false) {
    if (starts_segment) total_ = 0;
    const T before = total_;
    total_ = static_cast<T>(before + value);
    return {before, total_};
  }

 private:
  T total_ = 0;
};

/// One flag a row, nonzero where a segment starts; empty where the rows are one segment. An
/// unsegmented scan and a scan without a set flag are the same.
using SegmentFlags = std::span<const std::uint32_t>;

inline bool starts_segment(SegmentFlags flags, std::size_t row) {
  return !flags.empty() && flags[row] != 0;
}

/// Row i of the result is the sum of the rows before i, from the start of i's segment on.
/// Flags are none or as many as the rows. For other types than uint32: exclusive_scan<T>(...).
template <std::unsigned_integral T = std::uint32_t>
std::vector<T> exclusive_scan(std::span<const std::type_identity_t<T>> input,
                              SegmentFlags segment_flags = {}) {
  std::vector<T> output;
  output.reserve(input.size());
  RunningTotal<T> total;
  for (std::size_t row = 0; row < input.size(); ++row) {
    output.push_back(total.add(input[row], starts_segment(segment_flags, row)).exclusive);
  }
  return output;
}

/// Row i of the result is the sum of the rows up to and including i, from the start of i's segment
/// on. Flags are none or as many as the rows. For other types than uint32: inclusive_scan<T>(...).
template <std::unsigned_integral T = std::uint32_t>
std::vector<T> inclusive_scan(std::span<const std::type_identity_t<T>> input,
                              SegmentFlags segment_flags = {}) {
  std::vector<T> output;
  output.reserve(input.size());
  RunningTotal<T> total;
  for (std::size_t row = 0; row < input.size(); ++row) {
    output.push_back(total.add(input[row], starts_segment(segment_flags, row)).inclusive);
  }
  return output;
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
