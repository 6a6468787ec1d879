// Values of rows; see the header.
#include "document/row_value.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "document/json_writer.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

/// A whole number between -2^63 and 2^64 - 1, as sign and bits.
struct Whole {
  bool is_negative = false;
  std::uint64_t bits = 0;
};

std::optional<Whole> read_text(const std::string& text) {
  const bool is_negative = text.starts_with('-');
  const auto digits = std::string_view(text).substr(is_negative ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
  const auto magnitude = parse_number<std::uint64_t>(digits);
  if (!magnitude || (is_negative && *magnitude > kSignBit)) return std::nullopt;
  return Whole{is_negative && *magnitude > 0, is_negative ? 0 - *magnitude : *magnitude};
}

std::optional<Whole> read_whole(const Json& value) {
  if (value.is_number_unsigned()) return Whole{false, value.get<std::uint64_t>()};
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    return Whole{number < 0, static_cast<std::uint64_t>(number)};
  }
  if (value.is_string()) return read_text(value.get_ref<const std::string&>());
  return std::nullopt;
}

std::optional<float> read_float(const Json& value) {
  if (value.is_number()) {
    constexpr float kMost = std::numeric_limits<float>::max();
    constexpr double kRoundsBeyond = 0x1.ffffffp127;  // Halfway to what would come next.
    const double number = value.get<double>();
    if (std::abs(number) >= kRoundsBeyond) return std::nullopt;
    return static_cast<float>(std::clamp<double>(number, -kMost, kMost));
  }
  if (value == "nan") return std::numeric_limits<float>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<float>::infinity();
  if (value == "-inf") return -std::numeric_limits<float>::infinity();
  return std::nullopt;
}

bool is_in_range(const Whole& number, Format format) {
  switch (format) {
    case Format::uint32: return !number.is_negative && number.bits <= 0xffffffff;
    case Format::int32:
      return number.is_negative ? number.bits >= 0 - (std::uint64_t{1} << 31)
                                : number.bits < std::uint64_t{1} << 31;
    case Format::uint64: return !number.is_negative;
    default: return number.is_negative || number.bits < kSignBit;
  }
}

std::optional<RowValue> read_record(const Json& value, Format format) {
  RowValue row(format, {});
  const std::size_t words = row_bytes(format) / 4;
  if (!value.is_array() || value.size() != words) return std::nullopt;
  for (std::size_t i = 0; i < words; ++i) {
    const auto word = read_whole(value[i]);
    if (!word || !is_in_range(*word, Format::uint32)) return std::nullopt;
    row.words[i] = static_cast<std::uint32_t>(word->bits);
  }
  return row;
}

void append_float(std::string& out, float value) {
  if (std::isnan(value)) return append_json(out, std::string_view("nan"));
  if (std::isinf(value)) return append_json(out, std::string_view(value > 0 ? "inf" : "-inf"));
  if (value == 0 && std::signbit(value)) {
    out += "-0.0";  // Readers take -0 for a whole number, which has no sign.
    return;
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  out.append(digits, end);
}

}  // namespace

std::optional<RowValue> read_row_value(const Json& value, Format format) {
  switch (format) {
    case Format::float32:
      if (const auto number = read_float(value)) return RowValue(*number);
      return std::nullopt;
    case Format::uint32x2:
    case Format::uint32x3:
    case Format::uint32x4: return read_record(value, format);
    default: break;
  }
  const auto number = read_whole(value);
  if (!number || !is_in_range(*number, format)) return std::nullopt;
  return RowValue(format,
                  {static_cast<std::uint32_t>(number->bits),
                   row_bytes(format) == 8 ? static_cast<std::uint32_t>(number->bits >> 32) : 0});
}

void append_row_value(std::string& out, const RowValue& value) {
  const std::uint64_t bits = value.words[0] | (std::uint64_t{value.words[1]} << 32);
  switch (value.format) {
    case Format::uint32: return append_json(out, std::uint64_t{value.words[0]});
    case Format::int32: out += std::to_string(std::bit_cast<std::int32_t>(value.words[0])); return;
    case Format::float32: return append_float(out, std::bit_cast<float>(value.words[0]));
    case Format::uint64: return append_json(out, std::string_view(std::to_string(bits)));
    case Format::int64:
      return append_json(out, std::string_view(std::to_string(std::bit_cast<std::int64_t>(bits))));
    default: break;
  }
  const std::span words(value.words.data(), row_bytes(value.format) / 4);
  append_json_list(out, words, [&](std::uint32_t word) { append_json(out, std::uint64_t{word}); });
}

}  // namespace wgprim
