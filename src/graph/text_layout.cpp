// Printable ids and columns; see the header.
#include "graph/text_layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "wgprim/detail/utf8.hpp"

namespace wgprim {
namespace {

void append_escaped(std::string& text, std::uint8_t byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (byte == '\n') {
    text += "\\n";
  } else {
    text += "\\x";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
}

/// Columns on a terminal, near enough: characters.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<std::uint8_t>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string printable(std::string_view id) {
  std::string text;
  text.reserve(id.size());
  while (!id.empty()) {
    const auto first = static_cast<std::uint8_t>(id[0]);
    const std::size_t bytes = first < 0x20 || first == 0x7f ? 0 : character_bytes(id);
    if (bytes == 0) {
      append_escaped(text, first);
    } else {
      text += id.substr(0, bytes);
    }
    id.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return text;
}

std::string quoted(std::string_view id) { return "'" + printable(id) + "'"; }

void append_padded(std::string& text, std::string_view part, std::size_t width) {
  text += part;
  const std::size_t used = columns(part);
  text.append(used < width ? width - used : 2, ' ');
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], columns(row[column]));
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::size_t padding = widths[column] - columns(row[column]);
      const bool is_number = column >= first_number_;
      if (column > 0) text += "  ";
      if (is_number) text.append(padding, ' ');
      text += row[column];
      if (!is_number && column + 1 < row.size()) text.append(padding, ' ');
    }
    text += "\n";
  }
  return text;
}

}  // namespace wgprim
