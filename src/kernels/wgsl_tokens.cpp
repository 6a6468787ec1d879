// Splits WGSL; see the header. Block comments nest, as WGSL has it.
#include "kernels/wgsl_tokens.hpp"

#include <algorithm>
#include <cstddef>

namespace wgprim::kernels {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Bytes of identifiers beyond ASCII count as letters.
bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
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

/// Behind the spaces and comments that begin at `at`.
std::size_t skip_blank(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::string_view two = text.substr(at, 2);
    if (is_space(text[at])) {
      ++at;
    } else if (two == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (two == "/*") {
      at = end_of_block_comment(text, at);
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
    while (end < wgsl.size() && is_word(wgsl[end]))
      ++end;
    if (end == at) ++end;
    tokens.push_back(wgsl.substr(at, end - at));
    at = end;
  }
  return tokens;
}

}  // namespace wgprim::kernels
