// Arrays that go through the device in pieces: where their rows come from and where those of the
// result go, for --memory of scan and reduce. Today the host holds both whole.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "wgprim/pieces.hpp"

namespace wgprim::cli {

/// The rows of an array of that format and the flags beside them, if any; both outlive the source.
PieceSource pieces_of(std::span<const std::uint32_t> input, Format format,
                      std::span<const std::uint32_t> flags = {});

/// Brings the pieces of a result into the order of memory.
class ResultPieces {
 public:
  /// `sink` takes `words` words in all. Pieces of a reverse scan come from the last to the first,
  /// and are kept until then.
  ResultPieces(RowSink sink, std::uint64_t words, bool is_reverse);

  Result<void> take(std::uint64_t first_word, std::span<const std::uint32_t> words);
  /// To be called behind the last piece.
  Result<void> finish();

 private:
  RowSink sink_;
  std::vector<std::uint32_t> kept_;
};

}  // namespace wgprim::cli
