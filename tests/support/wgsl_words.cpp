// The lexer; see the header.
#include "support/wgsl_words.hpp"

#include <algorithm>
#include <cctype>

namespace wgprim::testing {

std::vector<std::string> wgsl_words(std::string_view text) {
  std::vector<std::string> words;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == ' ' || text[i] == '\n') {
      i = end;
      continue;
    }
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end]))
        ++end;
    } else {
      for (const std::string_view longer : {"<<=", "+=", ">=", "<=", "==", "->"}) {
        if (text.substr(i).starts_with(longer)) {
          end = i + longer.size();
          break;
        }
      }
    }
    words.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

}  // namespace wgprim::testing
