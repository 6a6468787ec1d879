// Splits WGSL; see the header. Block comments nest, as WGSL has it.
#include "kernels/wgsl_tokens.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace wgprim::kernels {
namespace {

/// U+0085, U+2028 and U+2029 end a line, U+200E and U+200F are blank.
constexpr std::array<std::string_view, 3> kWideLineEnds = {"\xc2\x85", "\xe2\x80\xa8",
                                                           "\xe2\x80\xa9"};
constexpr std::array<std::string_view, 2> kWideBlanks = {"\xe2\x80\x8e", "\xe2\x80\x8f"};

/// Bytes of the first of the list that `text` has at `at`, or 0.
std::size_t bytes_of_any(std::string_view text, std::size_t at, const auto& list) {
  if (static_cast<unsigned char>(text[at]) < 0x80) return 0;
  for (const std::string_view one : list) {
    if (text.substr(at, one.size()) == one) return one.size();
  }
  return 0;
}

/// Bytes of the line end at `at`, or 0: LF, VT, FF, CR and the wide ones.
std::size_t line_end_bytes(std::string_view text, std::size_t at) {
  if (text[at] >= '\n' && text[at] <= '\r') return 1;
  return bytes_of_any(text, at, kWideLineEnds);
}

/// Bytes of the blank at `at`, or 0; line ends are blank.
std::size_t blank_bytes(std::string_view text, std::size_t at) {
  if (text[at] == ' ' || text[at] == '\t') return 1;
  const std::size_t line_end = line_end_bytes(text, at);
  return line_end > 0 ? line_end : bytes_of_any(text, at, kWideBlanks);
}

/// Bytes of other identifiers beyond ASCII count as letters.
bool is_word(std::string_view text, std::size_t at) {
  const char c = text[at];
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (static_cast<unsigned char>(c) >= 0x80 && blank_bytes(text, at) == 0);
}

std::size_t end_of_line(std::string_view text, std::size_t at) {
  while (at < text.size() && line_end_bytes(text, at) == 0)
    ++at;
  return at;
}

std::size_t end_of_block_comment(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  do {
    const std::string_view two = text.substr(at, 2);
    if (two == "/*") ++depth;
    if (two == "*/") --depth;
    at += two == "/*" || two == "*/" ? 2u : 1u;
  } while (depth > 0 && at < text.size());
  return at;
}

/// Behind the blanks and comments that begin at `at`.
std::size_t skip_blank(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (two == "//") {
      at = end_of_line(text, at);
    } else if (two == "/*") {
      at = end_of_block_comment(text, at);
    } else if (const std::size_t bytes = blank_bytes(text, at); bytes > 0) {
      at += bytes;
    } else {
      break;
    }
  }
  return std::min(at, text.size());
}

}  // namespace

std::vector<std::string_view> wgsl_tokens(std::string_view wgsl) {
  std::vector<std::string_view> tokens;
  for (std::size_t at = skip_blank(wgsl, 0); at < wgsl.size(); at = skip_blank(wgsl, at)) {
    std::size_t end = at;
    while (end < wgsl.size() && is_word(wgsl, end))
      ++end;
    if (end == at) ++end;
    tokens.push_back(wgsl.substr(at, end - at));
    at = end;
  }
  return tokens;
}

}  // namespace wgprim::kernels
