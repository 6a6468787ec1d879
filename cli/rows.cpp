// Rows and their values; see the header.
#include "rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "document/row_value.hpp"
#include "option_values.hpp"
#include "wgprim/view.hpp"

namespace wgprim::cli {
namespace {

using enum io::DataType;

constexpr std::array kRowTypes = {uint32, int32, uint64, int64, float32};
constexpr std::array kFlagTypes = {boolean, int8,   int16,  int32, int64,
                                   uint8,   uint16, uint32, uint64};

/// As many rows as one operation takes, which the plan would refuse only once all are in memory.
std::uint64_t most_bytes(std::optional<io::DataType> dtype) {
  return kMaxRows * (dtype ? io::item_bytes(*dtype) : sizeof(std::uint64_t));
}

std::unexpected<Error> refuse_type(const std::string& name) {
  return fail(ErrorCode::invalid_argument, fmt::format("There is no data type '{}'; {}.", name,
                                                       io::describe_accepted(kRowTypes)));
}

template <class T>
std::vector<std::uint32_t> widened(const io::ArrayView& flags) {
  const auto values = flags.as<T>();
  std::vector<std::uint32_t> words(values.size());
  std::ranges::transform(values, words.begin(), [](T flag) { return flag != 0 ? 1u : 0u; });
  return words;
}

std::optional<RowValue> parse_float(const std::string& text) {
  float number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return RowValue(number);
}

}  // namespace

std::span<const io::DataType> row_types() { return kRowTypes; }

std::string row_type_names() {
  std::vector<std::string> names;
  for (const io::DataType dtype : kRowTypes)
    names.emplace_back(io::to_string(dtype));
  return joined(names, "|");
}

std::optional<Format> format_of(io::DataType dtype) {
  switch (dtype) {
    case uint32: return Format::uint32;
    case int32: return Format::int32;
    case uint64: return Format::uint64;
    case int64: return Format::int64;
    case float32: return Format::float32;
    default: return std::nullopt;
  }
}

Result<Format> format_named(const std::string& name) {
  const auto dtype = io::data_type_from_name(name);
  const auto format = dtype ? format_of(*dtype) : std::nullopt;
  if (!format) return refuse_type(name);
  return *format;
}

Result<io::ArrayFile> read_rows(const std::string& path, const std::string& dtype) {
  io::ReadOptions options{.accepted = kRowTypes};
  if (!dtype.empty()) {
    options.raw_dtype = io::data_type_from_name(dtype);
    if (!options.raw_dtype) return refuse_type(dtype);
  }
  options.most_streamed_bytes = most_bytes(options.raw_dtype);
  return io::read_array(path, options);
}

std::span<const std::uint32_t> words_of(const io::ArrayFile& array) {
  const auto bytes = array.view().bytes;
  return {reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4};
}

Result<SegmentFlagsFile> SegmentFlagsFile::read(const std::string& path, std::uint64_t rows) {
  auto array = io::read_array(path, {.dtype_without_magic = uint32,
                                     .accepted = kFlagTypes,
                                     .most_streamed_bytes = most_bytes(std::nullopt)});
  if (!array) return pass_on(array);
  if (array->rows() < rows) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Flags '{}' hold {} rows, fewer than the input's {}.", path,
                            array->rows(), rows));
  }
  SegmentFlagsFile flags;
  flags.array_ = std::move(*array);
  const io::ArrayView& view = flags.array_.view();
  switch (io::item_bytes(view.dtype)) {
    case 1: flags.widened_ = widened<std::uint8_t>(view); break;
    case 2: flags.widened_ = widened<std::uint16_t>(view); break;
    case 8: flags.widened_ = widened<std::uint64_t>(view); break;
    default: break;
  }
  return flags;
}

std::span<const std::uint32_t> SegmentFlagsFile::words() const {
  if (io::item_bytes(array_.dtype()) == sizeof(std::uint32_t)) return words_of(array_);
  return widened_;
}

Result<RowValue> parse_row_value(const std::string& option, const std::string& text,
                                 Format format) {
  const auto value =
      format == Format::float32 ? parse_float(text) : read_row_value(wgprim::Json(text), format);
  if (value) return *value;
  return fail(ErrorCode::invalid_argument,
              fmt::format("{}: '{}' is no {}.", option, text, to_string(format)));
}

Json to_json(const RowValue& value) {
  const std::uint64_t bits = value.words[0] | std::uint64_t{value.words[1]} << 32;
  switch (value.format) {
    case Format::int32: return std::bit_cast<std::int32_t>(value.words[0]);
    case Format::uint64: return bits;
    case Format::int64: return std::bit_cast<std::int64_t>(bits);
    case Format::float32: break;
    default: return value.words[0];
  }
  const auto number = std::bit_cast<float>(value.words[0]);
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

}  // namespace wgprim::cli
