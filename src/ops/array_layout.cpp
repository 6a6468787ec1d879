// Arrays of plan_scan and plan_reduce as buffers and parts of them: cut by the caller's chunks and
// by the largest buffer.
#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "ops/sections.hpp"
#include "wgprim/detail/plan_rules.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/graph.hpp"

namespace wgprim {
namespace {

/// 16 GiB take a hundred buffers on the smallest device; a limit of a few bytes asks for billions.
constexpr std::uint64_t kMostBuffers = 65536;

/// Devices run out of buffers and dispatches long before they run out of memory.
constexpr std::uint64_t kMostChunkBuffers = 1024;

/// Chunks that share a buffer start where rows can be taken four at a time, and never adjoin.
constexpr std::uint64_t kChunkAlignment = 16;

/// Lays chunks one behind the other, `chunks_per_buffer` to a buffer.
class Layout {
 public:
  Layout(Format format, const Placement& placement, const Limits& limits)
      : row_bytes_(row_bytes(format)),
        first_byte_(placement.byte_offset),
        chunks_per_buffer_(
            std::max<std::uint64_t>(1, ceil_divide(placement.chunks.size(), kMostChunkBuffers))),
        buffer_rows_((limits.max_buffer_size - std::min(limits.max_buffer_size, first_byte_)) /
                     row_bytes_) {
    // Whole blocks where a buffer holds one, so that several buffers add no block.
    if (buffer_rows_ >= kLevelBlock) buffer_rows_ = buffer_rows_ / kLevelBlock * kLevelBlock;
    buffer_bytes_ = first_byte_ + buffer_rows_ * row_bytes_;
  }

  /// False where that takes too many buffers.
  bool add_chunk(std::uint64_t rows) {
    if (buffer_rows_ == 0 || rows / buffer_rows_ >= kMostBuffers) return false;
    do {
      const std::uint64_t count = std::min(buffer_rows_, rows);
      add_part(count);
      rows -= count;
    } while (rows > 0);
    return layout_.buffer_bytes.size() <= kMostBuffers;
  }

  ArrayLayout take() { return std::move(layout_); }

 private:
  void add_part(std::uint64_t rows) {
    const std::uint64_t bytes = rows * row_bytes_;
    std::uint64_t offset = start_of_next();
    if (parts_in_buffer_ == chunks_per_buffer_ || offset + bytes > buffer_bytes_) {
      parts_in_buffer_ = 0;
      offset = first_byte_;
    }
    if (parts_in_buffer_ == 0) layout_.buffer_bytes.push_back(0);
    ++parts_in_buffer_;
    const auto buffer = static_cast<std::uint32_t>(layout_.buffer_bytes.size() - 1);
    layout_.parts.push_back({buffer, offset, rows});
    layout_.buffer_bytes.back() = offset + bytes;
  }

  std::uint64_t start_of_next() const {
    if (parts_in_buffer_ == 0) return first_byte_;
    return (layout_.buffer_bytes.back() / kChunkAlignment + 1) * kChunkAlignment;
  }

  std::uint64_t row_bytes_;
  std::uint64_t first_byte_;
  std::uint64_t chunks_per_buffer_;
  std::uint64_t buffer_rows_;
  std::uint64_t buffer_bytes_ = 0;
  std::uint64_t parts_in_buffer_ = 0;
  ArrayLayout layout_;
};

Result<void> check_sum(std::string_view array, std::uint64_t rows,
                       std::span<const std::uint64_t> chunks) {
  std::uint64_t sum = 0;
  for (const std::uint64_t chunk : chunks)
    sum += std::min(chunk, std::numeric_limits<std::uint64_t>::max() - sum);  // Never wraps.
  if (sum == rows) return {};
  return fail(ErrorCode::invalid_argument, concat("The chunks of array '", array, "' hold ", sum,
                                                  " rows, not the ", rows, " that there are."));
}

}  // namespace

std::string ArrayLayout::buffer_id(std::string_view array, std::size_t buffer) const {
  return buffer_bytes.size() > 1 ? concat(array, buffer) : std::string(array);
}

Result<ArrayLayout> lay_out_array(std::string_view array, std::uint64_t rows, Format format,
                                  const Placement& placement, const Limits& limits) {
  const std::uint64_t whole[] = {rows};
  const std::span<const std::uint64_t> chunks =
      placement.chunks.empty() ? std::span<const std::uint64_t>(whole) : placement.chunks;
  if (auto ok = check_sum(array, rows, chunks); !ok) return pass_on(ok);
  Layout layout(format, placement, limits);
  for (const std::uint64_t chunk : chunks) {
    if (layout.add_chunk(chunk)) continue;
    return fail(ErrorCode::limit_exceeded,
                concat("Array '", array, "' of ", rows, " rows takes more than ", kMostBuffers,
                       " buffers of ", limits.max_buffer_size, " bytes (maxBufferSize)."));
  }
  return layout.take();
}

}  // namespace wgprim
