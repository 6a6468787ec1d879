// Views: which rows of which buffers an operation reads or writes. Non-owning values.
// A DataView is one run of rows in one buffer; a VectorView is an ordered list of them that forms
// one logical sequence of rows, whatever buffers they lie in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wgprim {

/// A buffer of a graph. Comes from Graph::import_buffer or Graph::declare_transient; meaningless in
/// any other graph.
struct BufferId {
  const void* owner = nullptr;
  std::uint32_t index = 0;
  bool operator==(const BufferId&) const = default;
};

/// The most rows that one operation takes.
inline constexpr std::uint64_t kMaxRows = 0xffffffff;

/// What one row holds: a number, or a record of 2 to 4 words.
/// Numbers of 64 bits have the low word first.
enum class Format { uint32, int32, float32, uint64, int64, uint32x2, uint32x3, uint32x4 };

/// All formats in the order of their declaration.
std::span<const Format> formats();
/// Bytes of one row of the format.
std::uint64_t row_bytes(Format format);
const char* to_string(Format format);

/// `rows` rows from `byte_offset` on, one every `byte_stride` bytes (default: packed).
/// Its extent is 0 for no rows, else (rows - 1) * stride + row_bytes.
struct DataView {
  BufferId buffer;
  std::uint64_t rows = 0;
  std::uint64_t byte_offset = 0;
  std::optional<std::uint64_t> byte_stride;
  Format format = Format::uint32;
  bool operator==(const DataView&) const = default;
};

/// Chunks in logical order. Empty chunks keep their place and cost nothing.
struct VectorView {
  std::vector<DataView> chunks;

  VectorView() = default;
  VectorView(DataView view) : chunks{view} {}  // NOLINT: one view is a vector of one chunk.
  explicit VectorView(std::vector<DataView> views) : chunks(std::move(views)) {}
  bool operator==(const VectorView&) const = default;
};

}  // namespace wgprim
