// Arrays of 32-bit rows on the device, held in one buffer or several as a plan names them.
#pragma once

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

/// Buffers are longer than their rows by up to 12 bytes, so that kernels can move 16 at a time.
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
