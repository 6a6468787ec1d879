// Two steps: `load` brings the bytes of a path into memory, ArrayReader makes sense of them.
#include "io/array_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "io/file_descriptor.hpp"
#include "io/npy.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "Elements are used as they lie in files.");

// Bytes and their owner, which unmaps or frees them.
struct Contents {
  std::shared_ptr<const void> storage;
  std::span<const std::byte> bytes;
};

// Nothing where the file cannot be mapped, as on some special file systems.
std::optional<Contents> map_file(const FileDescriptor& file, std::size_t size) {
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (start == MAP_FAILED) return std::nullopt;
  return Contents{std::shared_ptr<const void>(start, [size](void* p) { ::munmap(p, size); }),
                  {static_cast<const std::byte*>(start), size}};
}

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};

// malloc'ed memory: it grows by realloc without exceptions and suits every element's alignment.
using HeapBytes = std::unique_ptr<std::byte, FreeMemory>;

bool resize(HeapBytes& memory, std::size_t bytes) {
  void* const resized = std::realloc(memory.get(), bytes);
  if (resized == nullptr) return false;
  static_cast<void>(memory.release());
  memory.reset(static_cast<std::byte*>(resized));
  return true;
}

std::unexpected<Error> fail_memory(std::string_view subject, std::size_t bytes) {
  return fail(ErrorCode::out_of_memory,
              concat(subject, " does not fit in memory (", bytes, " bytes are not to be had)."));
}

Contents own(HeapBytes memory, std::size_t size) {
  const std::byte* const start = memory.get();
  return {std::shared_ptr<const void>(std::move(memory)), {start, size}};
}

Result<Contents> read_to_end(const FileDescriptor& file, std::string_view subject) {
  constexpr std::size_t kFirstCapacity = 1 << 20;
  HeapBytes memory;
  std::size_t capacity = 0;
  std::size_t size = 0;
  while (true) {
    if (size == capacity) {
      capacity = capacity == 0 ? kFirstCapacity : 2 * capacity;
      if (!resize(memory, capacity)) return fail_memory(subject, capacity);
    }
    const auto count = read_some(file, {memory.get() + size, capacity - size});
    if (count < 0) return fail_io(subject, "cannot be read", errno);
    if (count == 0) return own(std::move(memory), size);
    size += static_cast<std::size_t>(count);
  }
}

Result<Contents> load(const std::string& path, std::string_view subject) {
  const bool is_stdin = path == "-";
  const auto file = is_stdin ? duplicate(0) : open_file(path, O_RDONLY);
  if (!file.is_open()) {
    if (errno == ENOENT) return fail(ErrorCode::io, concat(subject, " does not exist."));
    return fail_io(subject, "cannot be opened", errno);
  }
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return fail_io(subject, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) {
    return fail(ErrorCode::io, concat(subject, " is a directory, not a file."));
  }
  if (S_ISREG(status.st_mode) && status.st_size > 0 && !is_stdin) {
    if (auto contents = map_file(file, static_cast<std::size_t>(status.st_size))) return *contents;
  }
  return read_to_end(file, subject);
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
      return fail(
          ErrorCode::invalid_file,
          concat(subject_, " is truncated: its header announces ", expected, " bytes of data (",
                 header->rows, " rows of ", to_string(header->dtype), "), ", found, " are there."));
    }
    const auto data =
        align({contents_.storage, contents_.bytes.subspan(header->data_offset, expected)},
              item_bytes(header->dtype));
    if (!data) return pass_on(data);
    ArrayFile array;
    array.storage_ = data->storage;
    array.view_ = {data->bytes, header->rows, header->dtype};
    array.format_ = FileFormat::npy;
    array.trailing_bytes_ = found - expected;
    return array;
  }

  // NumPy pads its headers so that the data are aligned; other writers need not, and are copied.
  Result<Contents> align(Contents data, std::size_t alignment) const {
    const auto address = reinterpret_cast<std::uintptr_t>(data.bytes.data());
    if (data.bytes.empty() || address % alignment == 0) return data;
    HeapBytes memory;
    const std::size_t size = data.bytes.size();
    if (!resize(memory, size)) return fail_memory(subject_, size);
    std::memcpy(memory.get(), data.bytes.data(), size);
    return own(std::move(memory), size);
  }

  Contents contents_;
  std::string subject_;
};

Result<ArrayFile> read_array(const std::string& path, const ReadOptions& options) {
  const std::string subject = path == "-" ? "Standard input" : concat("Input '", path, "'");
  auto contents = load(path, subject);
  if (!contents) return pass_on(contents);
  return ArrayReader(std::move(*contents), subject).read(options);
}

}  // namespace wgprim::io
