// Element types of array files, named and coded as NumPy does. Used by the .npy reader and writer,
// by raw files (--dtype) and by the command line to say what an operation accepts.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wgprim::io {

enum class DataType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
};

/// Every type, in the order of the enumeration.
inline constexpr std::array kAllDataTypes{
    DataType::boolean, DataType::int8,    DataType::int16,   DataType::int32,
    DataType::int64,   DataType::uint8,   DataType::uint16,  DataType::uint32,
    DataType::uint64,  DataType::float16, DataType::float32, DataType::float64,
};

/// Bytes of one element: 1, 2, 4 or 8.
std::size_t item_bytes(DataType dtype);

/// NumPy's name: "bool", "int8", ..., "float64".
const char* to_string(DataType dtype);

/// The type of that NumPy name, or nothing.
std::optional<DataType> data_type_from_name(std::string_view name);

/// The type of a kind letter ('b', 'i', 'u' or 'f') and a size in bytes, or nothing.
std::optional<DataType> data_type_from_kind(char kind, std::size_t bytes);

/// The little-endian type string of a .npy header: "<u4", and "|b1" where byte order means nothing.
std::string npy_descr(DataType dtype);

bool is_among(std::span<const DataType> dtypes, DataType dtype);

/// The end of an error's sentence: "1-D little-endian arrays of uint32 or int32 are accepted".
std::string describe_accepted(std::span<const DataType> dtypes);

}  // namespace wgprim::io
