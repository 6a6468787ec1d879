// Buffers, uploads and downloads of an array; see the header.
#include "arrays.hpp"

#include "wgprim/detail/text.hpp"

namespace wgprim::bench {

std::string piece_id(std::string_view array, std::size_t piece, std::size_t pieces) {
  return pieces > 1 ? concat(array, piece) : std::string(array);
}

std::uint64_t padded_bytes(std::uint64_t rows) { return (rows * 4 + 15) / 16 * 16; }

Result<Array> Array::create(Device& device, std::string_view name,
                            std::span<const std::uint64_t> piece_rows) {
  constexpr std::uint32_t kUsage = kUsageStorage | kUsageCopySource | kUsageCopyDestination;
  Array array;
  for (const std::uint64_t rows : piece_rows) {
    const std::string id = piece_id(name, array.pieces_.size(), piece_rows.size());
    auto buffer = device.create_buffer(padded_bytes(rows), kUsage, id);
    if (!buffer) return pass_on(buffer);
    array.pieces_.push_back({id, rows, std::move(*buffer)});
  }
  return array;
}

Result<void> Array::upload(Device& device, std::span<const std::uint32_t> rows) {
  for (ArrayPiece& piece : pieces_) {
    const auto bytes = std::as_bytes(rows.first(piece.rows));
    if (auto ok = device.upload(piece.buffer, 0, bytes); !ok) return ok;
    rows = rows.subspan(piece.rows);
  }
  return {};
}

Result<void> Array::download(Device& device, const Sink& sink) {
  const auto as_rows = [&](std::span<const std::byte> bytes) {
    return sink({reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4});
  };
  for (ArrayPiece& piece : pieces_) {
    if (auto ok = device.download(piece.buffer, 0, piece.rows * 4, as_rows); !ok) return ok;
  }
  return {};
}

void Array::append_imports(std::vector<Import>& imports) const {
  for (const ArrayPiece& piece : pieces_)
    imports.push_back({piece.id, &piece.buffer});
}

std::vector<const Buffer*> Array::buffers() const {
  std::vector<const Buffer*> buffers;
  for (const ArrayPiece& piece : pieces_)
    buffers.push_back(&piece.buffer);
  return buffers;
}

}  // namespace wgprim::bench
