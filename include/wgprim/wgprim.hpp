// The one-call forms: host memory in, result out, everything in between on the GPU.
// For work that stays on the GPU build a Graph (graph.hpp), or take compile_scan below.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wgprim/graph.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

/// Exclusive prefix sums modulo 2^32: row i is the sum of the rows before i.
/// Returns as many rows as come in (0 to 2^32 - 1). Errors: those of the device.
Result<std::vector<std::uint32_t>> exclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input);

/// Inclusive prefix sums modulo 2^32: row i is the sum of the rows up to and including i.
Result<std::vector<std::uint32_t>> inclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input);

/// What one-call forms take rows of.
template <class T>
concept RowType =
    std::same_as<T, std::uint32_t> || std::same_as<T, std::int32_t> || std::same_as<T, float> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, std::int64_t>;

/// A vector, an array or a span of such rows.
template <class R>
concept RowRange = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
                   RowType<std::ranges::range_value_t<R>>;

/// The scan of those rows as `options` says, but for the format, which is that of T, and for the
/// segments: `segment_flags` is none, or one word a row, and a segment starts where it is not 0.
/// Errors: flags that are neither (invalid_argument); those of plan_scan and of the device.
template <RowType T>
Result<std::vector<T>> scan_values(Device& device, std::span<const T> rows,
                                   const ScanOptions& options,
                                   std::span<const std::uint32_t> segment_flags = {});

/// Row i is the combination of the rows before i, of its segment:
///
///     auto least = wgprim::exclusive_scan(device, floats, {.op = {wgprim::OperatorKind::min}});
///     auto sums = wgprim::exclusive_scan(device, counts, {.is_reverse = true}, flags);
template <RowRange R>
auto exclusive_scan(Device& device, const R& rows, ScanOptions options,
                    std::span<const std::uint32_t> segment_flags = {}) {
  options.mode = ScanMode::exclusive;
  using T = std::ranges::range_value_t<R>;
  return scan_values<T>(device, std::span<const T>(rows), options, segment_flags);
}

/// Row i is the combination of the rows up to and including i, of its segment.
template <RowRange R>
auto inclusive_scan(Device& device, const R& rows, ScanOptions options,
                    std::span<const std::uint32_t> segment_flags = {}) {
  options.mode = ScanMode::inclusive;
  using T = std::ranges::range_value_t<R>;
  return scan_values<T>(device, std::span<const T>(rows), options, segment_flags);
}

/// A scan of `rows` packed rows, ready to be recorded into any encoder of the device any number of
/// times. Its imports are those of plan_scan: "input" and "output", or "data" where it is in place,
/// and "flags" where it is segmented; each starts at byte 0 and holds at least `rows` rows.
///
///     auto scan = wgprim::compile_scan(device, rows, {.mode = wgprim::ScanMode::inclusive});
///     const wgprim::Import imports[] = {{"input", input}, {"output", output}};
///     scan->encode(encoder, {.imports = imports});
Result<Executable> compile_scan(Device& device, std::uint64_t rows,
                                const ScanOptions& options = {});

/// What a one-call form did, counted by its plan.
struct ScanReport {
  std::string path;
  std::string reason;
  std::uint64_t rows = 0;
  std::uint64_t dispatches = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t scratch_bytes = 0;
  std::optional<double> gpu_ns;  ///< Of the dispatches alone; nothing where they were not timed.
  bool uses_subgroups = false;
  bool is_deterministic = true;
  std::uint64_t pieces = 1;        ///< That the array went through the device in.
  std::uint64_t device_bytes = 0;  ///< Of all buffers made, where they were bounded; else 0.
};

/// Words of the result, in order, a piece at a time; each is valid during the call only. A row of
/// 8 bytes is two words, low word first, and a piece may end between them.
/// An error ends the scan and is returned.
using RowSink = std::function<Result<void>(std::span<const std::uint32_t>)>;

/// Hears how far a stage ("upload", "scan", "reduce", "read back") has come, in rows.
using ProgressSink =
    std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)>;

/// The general form, for results that the host does not hold whole. `input` are the words of packed
/// rows of options.format. With options.is_segmented, `segment_flags` has at least a word a row.
/// An array beyond the adapter's largest buffer is held in several.
/// Errors: words that are no whole rows, fewer flags than rows, flags that the options do not ask
/// for (invalid_argument); those of plan_scan, of the device and of the sink.
Result<ScanReport> scan(Device& device, std::span<const std::uint32_t> input, const RowSink& output,
                        const ScanOptions& options = {}, const ProgressSink& progress = {},
                        std::span<const std::uint32_t> segment_flags = {});

/// Numbers of 64 bits whose words lie apart: row i is high[i] * 2^32 + low[i].
struct SplitRows {
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;
};

/// Prefix sums modulo 2^64 of numbers whose low and high words are arrays of their own:
///
///     auto sums = wgprim::scan_u64(device, low, high, {.mode = wgprim::ScanMode::inclusive});
///
/// Errors: arrays that differ in length (invalid_argument); those of plan_scan_u64 and of the
/// device.
Result<SplitRows> scan_u64(Device& device, std::span<const std::uint32_t> low,
                           std::span<const std::uint32_t> high, const ScanU64Options& options = {});

/// What a one-call reduction came to.
struct ReduceReport : ScanReport {
  RowValue value;
};

/// The combination of all rows, in their order, and the operator's identity where there is none;
/// `input` as in scan. Errors: words that are no whole rows (invalid_argument); those of
/// plan_reduce and of the device.
Result<ReduceReport> reduce(Device& device, std::span<const std::uint32_t> input,
                            const ReduceOptions& options, const ProgressSink& progress);

/// The combination of those rows; the format is that of T.
template <RowType T>
Result<T> reduce_values(Device& device, std::span<const T> rows, ReduceOptions options);

/// The sum of the rows (of integers modulo 2^32 or 2^64), or another combination of them:
///
///     auto greatest = wgprim::reduce(device, floats, {.op = {wgprim::OperatorKind::max}});
template <RowRange R>
auto reduce(Device& device, const R& rows, const ReduceOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  return reduce_values<T>(device, std::span<const T>(rows), options);
}

/// What a reduction by segments came to.
struct SegmentReport : ScanReport {
  std::uint64_t segments = 0;
};

/// What each segment adds up to, in order; one starts with the first row and with every row whose
/// flag is not 0. The general form: `input`, `output` and `options` as in scan. Errors: fewer flags
/// than rows, a sink that is empty (invalid_argument); those of plan_reduce, of the device and of
/// the sink.
Result<SegmentReport> reduce_by_flags(Device& device, std::span<const std::uint32_t> input,
                                      std::span<const std::uint32_t> segment_flags,
                                      const RowSink& output, const ReduceOptions& options,
                                      const ProgressSink& progress = {});

/// Row i of the result is of the rows from offset i to before offset i + 1, one row less than there
/// are offsets; see Reduce. Errors: no offsets, and as above.
Result<SegmentReport> reduce_by_offsets(Device& device, std::span<const std::uint32_t> input,
                                        std::span<const std::uint32_t> offsets,
                                        const RowSink& output, const ReduceOptions& options,
                                        const ProgressSink& progress = {});

/// The same of rows whose format is that of T.
template <RowType T>
Result<std::vector<T>> reduce_segments(Device& device, std::span<const T> rows,
                                       std::span<const std::uint32_t> segment_flags,
                                       ReduceOptions options);
template <RowType T>
Result<std::vector<T>> reduce_ranges(Device& device, std::span<const T> rows,
                                     std::span<const std::uint32_t> offsets, ReduceOptions options);

/// One row a segment:
///
///     auto sums = wgprim::reduce_by_flags(device, amounts, is_first_of_customer);
template <RowRange R>
auto reduce_by_flags(Device& device, const R& rows, std::span<const std::uint32_t> segment_flags,
                     const ReduceOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  return reduce_segments<T>(device, std::span<const T>(rows), segment_flags, options);
}

/// One row a range:
///
///     auto greatest = wgprim::reduce_by_offsets(device, heights, offsets,
///                                               {.op = {wgprim::OperatorKind::max}});
template <RowRange R>
auto reduce_by_offsets(Device& device, const R& rows, std::span<const std::uint32_t> offsets,
                       const ReduceOptions& options = {}) {
  using T = std::ranges::range_value_t<R>;
  return reduce_ranges<T>(device, std::span<const T>(rows), offsets, options);
}

/// A graph made ready on a device: planned for its profile, then Executable::create. Freezes the
/// graph. Errors: those of both.
Result<Executable> compile(Device& device, Graph& graph);

}  // namespace wgprim
