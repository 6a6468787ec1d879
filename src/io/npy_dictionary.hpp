// The Python dictionary in the header of a .npy file: syntax only, no meaning. Called by npy.cpp.
#pragma once

#include <cstddef>
#include <expected>
#include <string_view>
#include <vector>

namespace wgprim::io {

/// The three entries of the header. All views point into the parsed text.
struct NpyDictionary {
  /// The type string without its quotes; empty when the type is a list or tuple (a structure).
  std::string_view descr;
  bool is_fortran_order = false;
  /// The dimensions as decimal digits, a minus sign before them where the text has one.
  std::vector<std::string_view> shape;
};

/// Reads `{'descr': '<u4', 'fortran_order': False, 'shape': (5,), }` with the keys in any order,
/// either kind of quotes, any white space and an optional last comma, and nothing else beside.
/// A structured type ends the reading early, with `descr` empty.
/// Error: the position, counted in characters from 0, at which the text stops making sense.
std::expected<NpyDictionary, std::size_t> parse_npy_dictionary(std::string_view text);

}  // namespace wgprim::io
