// A one-dimensional array in memory, with its element type: what files are read into and written
// from.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/data_type.hpp"

namespace wgprim::io {

/// Non-owning. `bytes` holds `rows` packed little-endian elements and is aligned to their size.
struct ArrayView {
  std::span<const std::byte> bytes;
  std::uint64_t rows = 0;
  DataType dtype = DataType::uint32;

  /// The rows as T, whose size must be the element's.
  template <class T>
  std::span<const T> as() const {
    assert(sizeof(T) == item_bytes(dtype));
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

/// How an array lies in a file: with NumPy's header, or as bare little-endian elements.
enum class FileFormat { npy, raw };

}  // namespace wgprim::io
