// How a level of the chained scan is cut into dispatches, and how its rows follow those of the
// scan. Called by ops/chained_scan.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/plan_builder.hpp"
#include "ops/chained_scan.hpp"
#include "wgprim/limits.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Rows of one dispatch: one range of one binding for each operand, and a sum for each block.
struct Span {
  PlanView input;
  PlanView output;
  std::uint64_t first_row = 0;    ///< Index of its first row in this level,
  std::uint64_t first_block = 0;  ///< and of its first block in the level above.
  PlanView sums;

  std::uint64_t block_count() const { return (output.rows + kScanBlock - 1) / kScanBlock; }
  bool is_shared() const { return input.buffer == output.buffer; }
  const PlanView& lower() const { return input.byte_offset < output.byte_offset ? input : output; }
  const PlanView& upper() const { return input.byte_offset < output.byte_offset ? output : input; }
  std::uint64_t bytes_apart() const { return upper().byte_offset - lower().byte_offset; }
  /// The range that holds both views of a span in one buffer.
  PlanView hull() const {
    return {lower().buffer, lower().byte_offset, bytes_apart() / 4 + output.rows};
  }
};

/// A level of the scan: the rows, the sums of their blocks, the sums of the blocks of these, ...
struct Level {
  std::size_t number = 0;
  std::vector<Span> spans;
  /// What follows from the first n rows of the scan is in the level's first ceil(n / rows_per_item)
  /// rows. 256^number; less, and then too many rows for some n, where chunks cut blocks short.
  std::uint64_t rows_per_item = 1;

  std::uint64_t block_count() const {
    return spans.back().first_block + spans.back().block_count();
  }
};

/// `rows_per_item` of the level above.
std::uint64_t rows_per_block(const Level& level);

/// Sums of one level are split over as many buffers as the largest buffer demands.
std::uint64_t sums_per_buffer(const Limits& limits);

bool fits_one_binding(const PlanView& view, const Limits& limits);

/// Cuts the rows of a level, which input and output chunk independently, so that each span ends
/// with a chunk, or with as many whole blocks as one binding holds or one buffer of sums has room
/// for. Spans have no sums yet. Errors: a limit so low that there would be no span, or too many.
Result<std::vector<Span>> cut_into_spans(std::string_view scan_id,
                                         const std::vector<PlanView>& input,
                                         const std::vector<PlanView>& output, const Limits& limits);

}  // namespace wgprim
