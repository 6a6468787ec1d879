// Data types of files as formats of rows, values of rows as words on the command line, and flags:
// what the verbs that take arrays share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "console.hpp"
#include "io/array_file.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim::cli {

/// Every type that scans and reductions take rows of.
std::span<const io::DataType> row_types();

/// "uint32|int32|...", for help.
std::string row_type_names();

/// The format of such a type; nothing for one that is none of them.
std::optional<Format> format_of(io::DataType dtype);

/// The format named by --dtype. Errors: a name that is none, or of a type that rows cannot have.
Result<Format> format_named(const std::string& name);

/// IN as rows; --dtype, where given, says what a raw one holds.
Result<io::ArrayFile> read_rows(const std::string& path, const std::string& dtype);

/// The words that the rows of an array are.
std::span<const std::uint32_t> words_of(const io::ArrayFile& array);

/// A flag a row, one word each, as a device takes them.
class SegmentFlagsFile {
 public:
  /// FLAGS: .npy of bool or of integers, else raw uint32. Errors: those of read_array; fewer flags
  /// than `rows`.
  static Result<SegmentFlagsFile> read(const std::string& path, std::uint64_t rows);

  std::span<const std::uint32_t> words() const;

 private:
  io::ArrayFile array_;
  std::vector<std::uint32_t> widened_;  ///< Empty where the array's own words will do.
};

/// The value of a row as a word on the command line: a whole number, or one with a point, `inf`,
/// `-inf` or `nan` for float32. Errors: a text that is no value of the format, named as `option`.
Result<RowValue> parse_row_value(const std::string& option, const std::string& text, Format format);

/// The value in JSON: a number, or "nan", "inf", "-inf".
Json to_json(const RowValue& value);

}  // namespace wgprim::cli
