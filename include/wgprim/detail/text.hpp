// Text without streams, so that the planner stays small as WebAssembly. Sentences come from parts:
// concat("Output '", name, "' holds ", rows, " rows").
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace wgprim {

inline void append_to(std::string& text, std::string_view part) { text += part; }
inline void append_to(std::string& text, std::integral auto number) {
  text += std::to_string(number);
}

template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string text;
  (append_to(text, parts), ...);
  return text;
}

/// "1,461" is easier to read than "1461".
inline std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

/// The decimal number that the whole text is, if it fits.
template <std::unsigned_integral Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

/// "NAME=VALUE" as its two sides; the value is empty where there is no '='.
inline std::pair<std::string_view, std::string_view> split_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace wgprim
