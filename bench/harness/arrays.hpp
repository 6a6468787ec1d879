// Arrays of 32-bit rows on the device, held in one buffer or several as a plan names them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wgprim/native.hpp"

namespace wgprim::bench {

struct ArrayPiece {
  std::string id;
  std::uint64_t rows = 0;
  Buffer buffer;
};

/// What a plan calls a piece: "input", or "input0", "input1", ... where there are several.
std::string piece_id(std::string_view array, std::size_t piece, std::size_t pieces);

/// Of a piece's buffer, longer than its rows by up to 12 bytes so that kernels can move 16 at a
/// time.
std::uint64_t padded_bytes(std::uint64_t rows);

class Array {
 public:
  /// A piece for each of these (id, rows).
  static Result<Array> create(Device& device, std::string_view name,
                              std::span<const std::uint64_t> piece_rows);

  Result<void> upload(Device& device, std::span<const std::uint32_t> rows);

  /// Hands all rows to `sink`, in order.
  using Sink = std::function<Result<void>(std::span<const std::uint32_t>)>;
  Result<void> download(Device& device, const Sink& sink);

  void append_imports(std::vector<Import>& imports) const;
  std::vector<const Buffer*> buffers() const;
  const std::vector<ArrayPiece>& pieces() const { return pieces_; }

 private:
  std::vector<ArrayPiece> pieces_;
};

}  // namespace wgprim::bench
