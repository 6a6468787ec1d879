// Pieces of arrays in host memory; see the header.
#include "array_pieces.hpp"

#include <algorithm>
#include <utility>

namespace wgprim::cli {

PieceSource pieces_of(std::span<const std::uint32_t> input, Format format,
                      std::span<const std::uint32_t> flags) {
  const std::uint64_t row_words = row_bytes(format) / 4;
  using Words = std::span<const std::uint32_t>;
  const auto rows_at = [input, row_words](std::uint64_t first, std::uint64_t count) {
    return Result<Words>(input.subspan(first * row_words, count * row_words));
  };
  const auto flags_at = [flags](std::uint64_t first, std::uint64_t count) {
    return Result<Words>(flags.subspan(first, count));
  };
  return {.rows = input.size() / row_words, .input = rows_at, .flags = flags_at};
}

ResultPieces::ResultPieces(RowSink sink, std::uint64_t words, bool is_reverse)
    : sink_(std::move(sink)), kept_(is_reverse ? words : 0) {}

Result<void> ResultPieces::take(std::uint64_t first_word, std::span<const std::uint32_t> words) {
  if (kept_.empty()) return sink_(words);
  std::ranges::copy(words, kept_.begin() + static_cast<std::ptrdiff_t>(first_word));
  return {};
}

Result<void> ResultPieces::finish() { return kept_.empty() ? Result<void>() : sink_(kept_); }

}  // namespace wgprim::cli
