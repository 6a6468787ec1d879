// Cuts levels of the chained scan into spans; see the header.
#include "ops/scan_spans.hpp"

#include <algorithm>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// No device needs as many dispatches for a level; limits of a few bytes would ask for billions.
constexpr std::size_t kMostSpans = std::size_t{1} << 18;

/// Indices in WGSL have 32 bits, whatever a device lets one binding hold.
constexpr std::uint64_t kIndexableBytes = std::uint64_t{4} << 32;

/// As many of these rows as leave no block cut short, if they are more than a block.
std::uint64_t whole_blocks(std::uint64_t rows) {
  return rows > kScanBlock ? rows / kScanBlock * kScanBlock : rows;
}

std::uint64_t bindable_rows(const PlanView& view, const Limits& limits) {
  const std::uint64_t below = view.byte_offset % kBindingAlignment;
  const std::uint64_t bytes = std::min(limits.max_storage_buffer_binding_size, kIndexableBytes);
  return bytes > below ? (bytes - below) / 4 : 0;
}

/// Rows whose input and output, in one buffer, lie within one binding or in two without a common
/// byte, whichever are more.
std::uint64_t shareable_rows(const Span& span, const Limits& limits) {
  const std::uint64_t begin = span.lower().byte_offset;
  const std::uint64_t upper_binding =
      span.upper().byte_offset / kBindingAlignment * kBindingAlignment;
  const std::uint64_t together = bindable_rows(span.lower(), limits);
  const std::uint64_t between = span.bytes_apart() / 4;
  return std::max(together > between ? together - between : 0,
                  upper_binding > begin ? (upper_binding - begin) / 4 : 0);
}

/// As many rows as one dispatch can take from here: to the end of a chunk, or whole blocks up to
/// what one binding holds and one buffer of sums has room for.
std::uint64_t rows_of_span(const Span& span, const Limits& limits) {
  const std::uint64_t rows = std::min(span.input.rows, span.output.rows);
  const std::uint64_t sums = sums_per_buffer(limits);
  const std::uint64_t sums_left = sums - span.first_block % sums;
  std::uint64_t fit = std::min({rows, bindable_rows(span.input, limits),
                                bindable_rows(span.output, limits), sums_left * kScanBlock});
  if (span.is_shared()) fit = std::min(fit, shareable_rows(span, limits));
  return fit < rows ? whole_blocks(fit) : fit;
}

/// Walks the chunks of an operand by any number of rows.
class Cursor {
 public:
  explicit Cursor(const std::vector<PlanView>& chunks) : chunks_(chunks) {}

  bool at_end() const { return chunk_ == chunks_.size(); }

  /// What is left of the present chunk.
  PlanView rest() const {
    PlanView view = chunks_[chunk_];
    view.byte_offset += taken_ * 4;
    view.rows -= taken_;
    return view;
  }

  void advance(std::uint64_t rows) {
    taken_ += rows;
    if (taken_ < chunks_[chunk_].rows) return;
    taken_ = 0;
    ++chunk_;
  }

 private:
  const std::vector<PlanView>& chunks_;
  std::size_t chunk_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace

std::uint64_t sums_per_buffer(const Limits& limits) {
  return whole_blocks(limits.max_buffer_size / 4);
}

bool fits_one_binding(const PlanView& view, const Limits& limits) {
  return view.rows <= bindable_rows(view, limits);
}

std::uint64_t rows_per_block(const Level& level) {
  std::uint64_t least = kScanBlock * level.rows_per_item;
  const auto consider = [&](std::uint64_t first_row, std::uint64_t block) {
    if (block > 0) least = std::min(least, level.rows_per_item * first_row / block);
  };
  // Block b must be among the first ceil(n / result) as soon as its first row is wanted. Within a
  // span blocks are equally long, so that the least quotient is that of the first or the last.
  for (const Span& span : level.spans) {
    const std::uint64_t last = span.block_count() - 1;
    consider(span.first_row, span.first_block);
    consider(span.first_row + last * kScanBlock, span.first_block + last);
  }
  return least;
}

Result<std::vector<Span>> cut_into_spans(std::string_view scan_id,
                                         const std::vector<PlanView>& input,
                                         const std::vector<PlanView>& output,
                                         const Limits& limits) {
  std::vector<Span> spans;
  Cursor source(input);
  Cursor destination(output);
  Span next;
  while (!source.at_end()) {
    next.input = source.rest();
    next.output = destination.rest();
    const std::uint64_t rows = rows_of_span(next, limits);
    if (rows == 0) {
      return fail(
          ErrorCode::limit_exceeded,
          concat("Scan '", scan_id, "' cannot bind a single row within ",
                 limits.max_storage_buffer_binding_size, " bytes (maxStorageBufferBindingSize)."));
    }
    if (spans.size() == kMostSpans) {
      return fail(
          ErrorCode::limit_exceeded,
          concat("Scan '", scan_id, "' takes more than ", kMostSpans,
                 " dispatches a level; chunks, bindings (", limits.max_storage_buffer_binding_size,
                 " bytes) or buffers (", limits.max_buffer_size, " bytes) are too small."));
    }
    next.input.rows = next.output.rows = rows;
    source.advance(rows);
    destination.advance(rows);
    spans.push_back(next);
    next.first_row += rows;
    next.first_block += next.block_count();
  }
  return spans;
}

}  // namespace wgprim
