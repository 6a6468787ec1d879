// The .npy format of NumPy, versions 1.0, 2.0 and 3.0: reading and writing the header of an array.
// Pure functions of bytes; files are in array_file.hpp and output_file.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/data_type.hpp"
#include "wgprim/result.hpp"

namespace wgprim::io {

/// What a header says. The data are the `rows` elements from byte `data_offset` of the file on;
/// rows * item_bytes(dtype) fits in 64 bits.
struct NpyHeader {
  DataType dtype = DataType::uint32;
  std::uint64_t rows = 0;
  std::uint64_t data_offset = 0;
};

/// Whether the bytes begin with the six of "\x93NUMPY".
bool has_npy_magic(std::span<const std::byte> file);

/// Reads the header at the start of `file`, which has the magic. `subject` begins each error's
/// sentence, for example "Input 'a.npy'".
/// Errors: invalid_file for a header that is cut short, of another version or not the dictionary
/// that NumPy writes; for elements that are big-endian or no plain numbers; for an array that is
/// not 1-D; for a length that is negative or needs more bytes than 64 bits count. unsupported for
/// an element type that is not among `accepted`, which the sentences about types and shapes list.
/// The data themselves are not looked at.
Result<NpyHeader> parse_npy_header(std::span<const std::byte> file, std::string_view subject,
                                   std::span<const DataType> accepted = kAllDataTypes);

/// Where the bytes of an array's data lie in its file.
struct NpyPayload {
  std::uint64_t data_offset = 0;
  std::uint64_t bytes = 0;
};

/// Reads the header of an array of any shape, in C order, and of any plain numbers.
/// Errors: invalid_file as parse_npy_header, and for several dimensions in Fortran order.
Result<NpyPayload> parse_npy_payload(std::span<const std::byte> file, std::string_view subject);

/// The 128 bytes that numpy.save writes before a 1-D array of that type and length, or before a 2-D
/// one where there is more than one column.
std::string make_npy_header(DataType dtype, std::uint64_t rows, std::uint64_t columns = 1);

}  // namespace wgprim::io
