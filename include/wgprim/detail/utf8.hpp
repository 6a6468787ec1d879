// Whether text is UTF-8: one rule for ids, kernels, plans and what is printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wgprim {

/// Bytes of the UTF-8 character at the start of `text` (not empty), 0 where there is none. Which
/// second bytes may follow rules out overlong forms, surrogates and what is above U+10FFFF.
inline std::size_t character_bytes(std::string_view text) {
  const auto byte_at = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  const std::uint8_t first = byte_at(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte_at(i) & 0xc0) != 0x80) return 0;
  }
  const std::uint8_t second = byte_at(1);
  const bool is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool is_no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return is_overlong || is_no_character ? 0 : bytes;
}

/// Where the first byte is that belongs to no UTF-8 character, or nothing in valid text. Documents
/// hold valid text only, and wgpu-native ends the process over any other.
inline std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text.substr(at));
    if (bytes == 0) return at;
    at += bytes;
  }
  return std::nullopt;
}

}  // namespace wgprim
