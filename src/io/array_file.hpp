// Reading a one-dimensional array from a .npy file, a raw file or a stream, or the bare bytes of
// any array. Regular files are mapped, so their size costs nothing until rows are touched; pipes
// and "-" are read to their end. Called by every verb of the command line that takes data.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/array_view.hpp"
#include "wgprim/result.hpp"

namespace wgprim::io {

struct ReadOptions {
  /// Takes the input as raw little-endian elements of this type, whatever its first bytes.
  std::optional<DataType> raw_dtype = std::nullopt;
  /// The element type of an input that has no .npy magic; without it such an input is an error.
  std::optional<DataType> dtype_without_magic = std::nullopt;
  /// The types the caller can work with; errors list them.
  std::span<const DataType> accepted = kAllDataTypes;
  /// The most bytes of data that the caller can work with; a stream of more is not read on.
  std::uint64_t most_streamed_bytes = std::numeric_limits<std::uint64_t>::max();
};

/// An array and the memory that holds it. Copies share the memory.
///
/// A mapped array outlives the renaming, replacing and removal of its path, so an OutputFile may
/// replace the input. It does not outlive another program that shortens the file in place: touching
/// a lost page raises SIGBUS, as for any mapping.
class ArrayFile {
 public:
  const ArrayView& view() const { return view_; }
  std::uint64_t rows() const { return view_.rows; }
  DataType dtype() const { return view_.dtype; }
  FileFormat format() const { return format_; }

  /// Bytes behind the data of a .npy array, ignored as NumPy ignores them.
  std::uint64_t trailing_bytes() const { return trailing_bytes_; }

 private:
  friend class ArrayReader;
  std::shared_ptr<const void> storage_;
  ArrayView view_;
  FileFormat format_ = FileFormat::raw;
  std::uint64_t trailing_bytes_ = 0;
};

/// Reads `path`, or standard input for "-". A .npy file is known by its magic, not by its name.
/// Zero rows are fine, also as an empty file where a raw type is given.
/// Errors: io for what cannot be opened or read (missing, a directory, no permission); invalid_file
/// for contents that are no array (empty, no magic and no raw type, header errors as in
/// parse_npy_header, fewer data than the header says, part of a raw element at the end);
/// unsupported for an element type that is not accepted; invalid_argument for such a raw type;
/// out_of_memory for a stream larger than the memory; invalid_file for one beyond its bound.
Result<ArrayFile> read_array(const std::string& path, const ReadOptions& options = {});

/// The bytes of a file that fill a buffer as they are, and the memory that holds them.
struct Payload {
  std::shared_ptr<const void> storage;
  std::span<const std::byte> bytes;
  FileFormat format = FileFormat::raw;
};

/// The data of a .npy array of any shape in C order and any type, known by its magic; of any other
/// file or stream all there is. Errors: those of read_array but for what concerns raw types;
/// invalid_file for a stream of more than a header and `most_streamed_bytes`, which is not read on.
Result<Payload> read_payload(const std::string& path, std::uint64_t most_streamed_bytes);

}  // namespace wgprim::io
