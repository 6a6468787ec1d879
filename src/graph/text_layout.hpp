// Laying out text for people: ids made printable, columns. For plans and reports as text and DOT.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wgprim {

/// An id of the user's as it may stand in a line: control characters as "\n" or "\x07", bytes that
/// are no UTF-8 as "\xff", everything else as it is.
std::string printable(std::string_view id);

/// `printable` in single quotes.
std::string quoted(std::string_view id);

/// Appends `part`, then spaces up to `width` columns, two where it is as wide already.
void append_padded(std::string& text, std::string_view part, std::size_t width);

/// Rows of cells under a head; columns as wide as they need to be.
class TextTable {
 public:
  /// Columns from `first_number` on are set to the right.
  TextTable(std::vector<std::string> head, std::size_t first_number)
      : first_number_(first_number), rows_{std::move(head)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::size_t first_number_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace wgprim
