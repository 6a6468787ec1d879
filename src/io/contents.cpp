// Maps regular files, reads everything else to its end; see the header.
#include "io/contents.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "io/file_descriptor.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::io {
namespace {

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

std::unexpected<Error> fail_size(std::string_view subject, std::uint64_t most_bytes) {
  return fail(ErrorCode::invalid_file,
              concat(subject, " is larger than ", most_bytes, " bytes, the most that are taken."));
}

Result<Contents> read_to_end(const FileDescriptor& file, std::string_view subject,
                             std::uint64_t most_bytes) {
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
    if (size > most_bytes) return fail_size(subject, most_bytes);
  }
}

}  // namespace

std::string subject_of(const std::string& path) {
  return path == "-" ? "Standard input" : concat("Input '", path, "'");
}

Result<Contents> load(const std::string& path, std::string_view subject, SizeBounds bounds) {
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
    if (static_cast<std::uint64_t>(status.st_size) > bounds.file) {
      return fail_size(subject, bounds.file);
    }
    if (auto contents = map_file(file, static_cast<std::size_t>(status.st_size))) return *contents;
  }
  return read_to_end(file, subject, bounds.stream);
}

// NumPy pads its headers so that the data are aligned; other writers need not, and are copied.
Result<Contents> align(Contents data, std::size_t alignment, std::string_view subject) {
  const auto address = reinterpret_cast<std::uintptr_t>(data.bytes.data());
  if (data.bytes.empty() || address % alignment == 0) return data;
  HeapBytes memory;
  const std::size_t size = data.bytes.size();
  if (!resize(memory, size)) return fail_memory(subject, size);
  std::memcpy(memory.get(), data.bytes.data(), size);
  return own(std::move(memory), size);
}

}  // namespace wgprim::io
