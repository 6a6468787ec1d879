// Keeps messages short, whatever names they repeat. Every error of the library passes here.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "wgprim/detail/utf8.hpp"
#include "wgprim/result.hpp"

namespace wgprim {
namespace {

constexpr std::size_t kMostNameCharacters = 100;
constexpr std::size_t kMostMessageCharacters = 2000;
constexpr std::string_view kEllipsis = "\u2026";

/// Where the character after `at` starts; a byte that is none counts as one.
std::size_t next_character(std::string_view text, std::size_t at) {
  return at + std::max<std::size_t>(1, character_bytes(text.substr(at)));
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

std::size_t previous_character(std::string_view text, std::size_t at) {
  do {
    --at;
  } while (at > 0 && continues_character(text[at]));
  return at;
}

bool is_longer(std::string_view text, std::size_t most_characters) {
  if (text.size() <= most_characters) return false;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); at = next_character(text, at))
    if (++characters > most_characters) return true;
  return false;
}

/// At most so many characters: the first half, an ellipsis, and the end, where names differ.
std::string shortened(std::string_view text, std::size_t most_characters) {
  if (!is_longer(text, most_characters)) return std::string(text);
  const std::size_t kept = most_characters - 1;
  std::size_t head = 0;
  for (std::size_t i = 0; i < kept - kept / 2; ++i)
    head = next_character(text, head);
  std::size_t tail = text.size();
  for (std::size_t i = 0; i < kept / 2; ++i)
    tail = previous_character(text, tail);
  return std::string(text.substr(0, head)).append(kEllipsis).append(text.substr(tail));
}

bool is_word_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether the quote at `at` opens a name; that of "the input's" does not.
bool opens(std::string_view text, std::size_t at) {
  return at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '\n';
}

/// Where the name that starts at `begin` ends, in its line.
std::size_t end_of_name(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] != '\'') continue;
    if (at + 1 == text.size() || !is_word_character(text[at + 1])) return at;
  }
  return begin;
}

std::string with_short_names(std::string_view text) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\'' || !opens(text, at)) continue;
    const std::size_t begin = at + 1;
    const std::size_t end = end_of_name(text, begin);
    if (end == begin) continue;
    result += text.substr(copied, begin - copied);
    result += shortened(text.substr(begin, end - begin), kMostNameCharacters);
    copied = at = end;
  }
  return result.append(text.substr(copied));
}

}  // namespace

std::unexpected<Error> fail(ErrorCode code, std::string message) {
  if (message.size() > kMostNameCharacters) {
    message = shortened(with_short_names(message), kMostMessageCharacters);
  }
  return std::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace wgprim
