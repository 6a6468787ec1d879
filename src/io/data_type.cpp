// One table holds everything that is known about an element type.
#include "io/data_type.hpp"

#include <algorithm>
#include <array>

#include "wgprim/detail/text.hpp"

namespace wgprim::io {
namespace {

struct Entry {
  DataType dtype;
  std::string_view name;
  char kind;
  std::size_t bytes;
};

// In the order of the enumeration.
constexpr std::array kEntries{
    Entry{DataType::boolean, "bool", 'b', 1},    Entry{DataType::int8, "int8", 'i', 1},
    Entry{DataType::int16, "int16", 'i', 2},     Entry{DataType::int32, "int32", 'i', 4},
    Entry{DataType::int64, "int64", 'i', 8},     Entry{DataType::uint8, "uint8", 'u', 1},
    Entry{DataType::uint16, "uint16", 'u', 2},   Entry{DataType::uint32, "uint32", 'u', 4},
    Entry{DataType::uint64, "uint64", 'u', 8},   Entry{DataType::float16, "float16", 'f', 2},
    Entry{DataType::float32, "float32", 'f', 4}, Entry{DataType::float64, "float64", 'f', 8},
};

const Entry& entry_of(DataType dtype) { return kEntries[static_cast<std::size_t>(dtype)]; }

std::optional<DataType> find(auto matches) {
  const auto entry = std::ranges::find_if(kEntries, matches);
  if (entry == kEntries.end()) return std::nullopt;
  return entry->dtype;
}

}  // namespace

std::size_t item_bytes(DataType dtype) { return entry_of(dtype).bytes; }

const char* to_string(DataType dtype) { return entry_of(dtype).name.data(); }

std::optional<DataType> data_type_from_name(std::string_view name) {
  return find([&](const Entry& entry) { return entry.name == name; });
}

std::optional<DataType> data_type_from_kind(char kind, std::size_t bytes) {
  return find([&](const Entry& entry) { return entry.kind == kind && entry.bytes == bytes; });
}

std::string npy_descr(DataType dtype) {
  const Entry& entry = entry_of(dtype);
  const std::string_view order = entry.bytes == 1 ? "|" : "<";
  return concat(order, std::string_view(&entry.kind, 1), entry.bytes);
}

bool is_among(std::span<const DataType> dtypes, DataType dtype) {
  return std::ranges::find(dtypes, dtype) != dtypes.end();
}

std::string describe_accepted(std::span<const DataType> dtypes) {
  std::string text = "1-D little-endian arrays of ";
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    const bool is_last = i + 1 == dtypes.size();
    text += concat(i == 0 ? "" : is_last ? " or " : ", ", to_string(dtypes[i]));
  }
  return text + " are accepted";
}

}  // namespace wgprim::io
