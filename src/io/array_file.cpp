// Makes sense of the bytes that contents.hpp brings into memory.
#include "io/array_file.hpp"

#include <bit>
#include <string_view>

#include "io/contents.hpp"
#include "io/npy.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::io {

static_assert(std::endian::native == std::endian::little,
              "Elements are used as they lie in files.");

namespace {

/// Headers that NumPy writes are shorter by far.
constexpr std::uint64_t kHeaderRoom = std::uint64_t{1} << 20;

SizeBounds bound_stream(std::uint64_t data_bytes) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return {.stream = data_bytes < most - kHeaderRoom ? data_bytes + kHeaderRoom : most};
}

std::unexpected<Error> fail_truncated(std::string_view subject, std::uint64_t expected,
                                      std::string_view rows, std::uint64_t found) {
  return fail(ErrorCode::invalid_file,
              concat(subject, " is truncated: its header announces ", expected, " bytes of data",
                     rows, ", ", found, " are there."));
}

}  // namespace

// Makes an ArrayFile of the contents of one input; `subject` begins each error's sentence.
class ArrayReader {
 public:
  ArrayReader(Contents contents, std::string subject)
      : contents_(std::move(contents)), subject_(std::move(subject)) {}

  Result<ArrayFile> read(const ReadOptions& options) {
    if (options.raw_dtype) return read_raw(*options.raw_dtype, options.accepted);
    if (has_npy_magic(contents_.bytes)) return read_npy(options.accepted);
    if (options.dtype_without_magic)
      return read_raw(*options.dtype_without_magic, options.accepted);
    const std::string_view problem =
        contents_.bytes.empty() ? " is empty" : " is not a .npy file (its first bytes say so)";
    return fail(ErrorCode::invalid_file, concat(subject_, problem,
                                                "; --dtype names the element type of a raw file, "
                                                "for example --dtype uint32."));
  }

 private:
  Result<ArrayFile> read_raw(DataType dtype, std::span<const DataType> accepted) const {
    if (!is_among(accepted, dtype)) {
      return fail(ErrorCode::invalid_argument,
                  concat(subject_, " cannot be taken as ", to_string(dtype), "; ",
                         describe_accepted(accepted), "."));
    }
    const std::size_t size = contents_.bytes.size();
    if (size % item_bytes(dtype) != 0) {
      return fail(ErrorCode::invalid_file,
                  concat(subject_, " holds ", size, " bytes, not a multiple of the ",
                         item_bytes(dtype), " bytes of a ", to_string(dtype), " row."));
    }
    ArrayFile array;
    array.storage_ = contents_.storage;
    array.view_ = {contents_.bytes, size / item_bytes(dtype), dtype};
    return array;
  }

  Result<ArrayFile> read_npy(std::span<const DataType> accepted) const {
    const auto header = parse_npy_header(contents_.bytes, subject_, accepted);
    if (!header) return pass_on(header);
    const std::uint64_t expected = header->rows * item_bytes(header->dtype);
    const std::uint64_t found = contents_.bytes.size() - header->data_offset;
    if (found < expected) {
      const auto rows = concat(" (", header->rows, " rows of ", to_string(header->dtype), ")");
      return fail_truncated(subject_, expected, rows, found);
    }
    const auto data =
        align({contents_.storage, contents_.bytes.subspan(header->data_offset, expected)},
              item_bytes(header->dtype), subject_);
    if (!data) return pass_on(data);
    ArrayFile array;
    array.storage_ = data->storage;
    array.view_ = {data->bytes, header->rows, header->dtype};
    array.format_ = FileFormat::npy;
    array.trailing_bytes_ = found - expected;
    return array;
  }

  Contents contents_;
  std::string subject_;
};

Result<ArrayFile> read_array(const std::string& path, const ReadOptions& options) {
  const std::string subject = subject_of(path);
  auto contents = load(path, subject, bound_stream(options.most_streamed_bytes));
  if (!contents) return pass_on(contents);
  return ArrayReader(std::move(*contents), subject).read(options);
}

Result<Payload> read_payload(const std::string& path, std::uint64_t most_streamed_bytes) {
  const std::string subject = subject_of(path);
  auto contents = load(path, subject, bound_stream(most_streamed_bytes));
  if (!contents) return pass_on(contents);
  if (!has_npy_magic(contents->bytes)) {
    return Payload{std::move(contents->storage), contents->bytes, FileFormat::raw};
  }
  const auto data = parse_npy_payload(contents->bytes, subject);
  if (!data) return pass_on(data);
  const std::uint64_t found = contents->bytes.size() - data->data_offset;
  if (found < data->bytes) return fail_truncated(subject, data->bytes, "", found);
  return Payload{std::move(contents->storage),
                 contents->bytes.subspan(data->data_offset, data->bytes), FileFormat::npy};
}

}  // namespace wgprim::io
