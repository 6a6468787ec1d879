// Where an output goes is decided once, in create(): to an open stream, beside a regular target, or
// straight into whatever else the path names.
#include "io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "io/npy.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPieceBytes = std::size_t{4} << 20;

// The number behind a path that names an open descriptor rather than a file. Such an output keeps
// the stream's position and append mode, so "-o /dev/stdout >> log" never replaces the log.
std::optional<int> named_descriptor(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const char* const end = path.data() + path.size();
    int number = -1;
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end) return number;
  }
  return std::nullopt;
}

// The path that writing to `path` would create or change: the end of its chain of symbolic links,
// which may be absent (std::filesystem::canonical wants it to exist). Error: an errno value.
std::expected<fs::path, int> follow_links(fs::path path) {
  constexpr int kMaxLinks = 40;  // As in Linux.
  for (int links = 0; links < kMaxLinks; ++links) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    if (error) return path;
    path = path.parent_path() / target;
  }
  return std::unexpected(ELOOP);
}

std::string folder_name(const fs::path& path) {
  const fs::path folder = path.parent_path();
  return folder.empty() ? "." : folder.string();
}

// Owner and permissions of the replaced file; a refused change of owner is not an error, as in cp.
void copy_ownership(const FileDescriptor& file, const struct stat& replaced) {
  [[maybe_unused]] const int owner = ::fchown(file.number(), replaced.st_uid, replaced.st_gid);
  ::fchmod(file.number(), replaced.st_mode & 0777);
}

// 0, or the errno value of a file that cannot become so long. File systems that cannot reserve let
// it pass; the write will tell.
int allocate(const FileDescriptor& file, std::uint64_t bytes) {
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) return EFBIG;
#ifdef __APPLE__
  return ::ftruncate(file.number(), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#else
  const int error = ::posix_fallocate(file.number(), 0, static_cast<off_t>(bytes));
  return error == EOPNOTSUPP || error == EINVAL ? 0 : error;
#endif
}

// A name that no other process and no other output uses, short enough for any file system.
std::string temporary_path(const fs::path& folder) {
  static std::atomic<unsigned> counter = 0;
  return (folder / concat(".wgprim-", ::getpid(), "-", ++counter, ".tmp")).string();
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::string& path) {
  std::string subject = path == "-" ? "Standard output" : concat("Output '", path, "'");
  if (const auto number = named_descriptor(path)) {
    OutputFile output;
    output.file_ = duplicate(*number);
    if (!output.file_.is_open()) return fail_io(subject, "cannot be opened", errno);
    output.subject_ = std::move(subject);
    return output;
  }
  const auto target = follow_links(path);
  if (!target) return fail_io(subject, "cannot be opened", target.error());
  if (!target->has_filename()) {
    return fail(ErrorCode::io, concat(subject, " names no file."));
  }
  struct stat status{};
  if (::stat(target->c_str(), &status) != 0) {
    if (errno != ENOENT) return fail_io(subject, "cannot be opened", errno);
    return create_beside(*target, std::move(subject));
  }
  if (S_ISDIR(status.st_mode)) {
    return fail(ErrorCode::io, concat(subject, " is a directory, not a file."));
  }
  if (!S_ISREG(status.st_mode)) return open_directly(*target, std::move(subject));
  if (::access(target->c_str(), W_OK) != 0) return fail_io(subject, "cannot be written", errno);

  auto output = create_beside(*target, std::move(subject));
  if (output) copy_ownership(output->file_, status);
  return output;
}

Result<OutputFile> OutputFile::create_beside(const std::string& target, std::string subject) {
  const std::string folder = folder_name(target);
  std::error_code error;
  const fs::path absolute_folder = fs::canonical(folder, error);
  if (error) {
    return fail(ErrorCode::io, concat(subject, " cannot be created: folder '", folder,
                                      "' does not exist or cannot be entered."));
  }
  OutputFile output;
  do {
    output.temporary_.keep();  // On another round: the file of that name is somebody else's.
    auto listed = UnfinishedOutput::list(temporary_path(absolute_folder));
    if (!listed) return pass_on(listed);
    output.temporary_ = std::move(*listed);
    output.file_ = open_file(output.temporary_.path(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  } while (!output.file_.is_open() && errno == EEXIST);
  if (!output.file_.is_open()) {
    const int reason = errno;
    return fail_io(subject, concat("cannot be created in folder '", folder, "'"), reason);
  }
  output.subject_ = std::move(subject);
  output.target_ = (absolute_folder / fs::path(target).filename()).string();
  return output;
}

Result<OutputFile> OutputFile::open_directly(const std::string& path, std::string subject) {
  OutputFile output;
  output.file_ = open_file(path, O_WRONLY | O_NOCTTY);
  if (!output.file_.is_open()) return fail_io(subject, "cannot be opened", errno);
  output.subject_ = std::move(subject);
  return output;
}

Result<void> OutputFile::reserve(std::uint64_t bytes) {
  if (!temporary_.is_listed() || bytes == 0) return {};
  const int error = allocate(file_, bytes);
  if (error != 0) return fail_io(subject_, concat("cannot be given ", bytes, " bytes"), error);
  reserved_bytes_ = bytes;
  return {};
}

Result<void> OutputFile::write(std::span<const std::byte> bytes, const Progress& progress) {
  const std::uint64_t total_bytes = bytes.size();
  while (!bytes.empty()) {
    const auto count = write_some(file_, bytes.first(std::min(bytes.size(), kMaxPieceBytes)));
    if (count < 0) {
      const int error = errno;
      is_pipe_closed_ = error == EPIPE;
      return fail_io(subject_, concat("cannot be written beyond ", written_bytes_, " bytes"),
                     error);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    written_bytes_ += static_cast<std::uint64_t>(count);
    if (progress) progress(total_bytes - bytes.size(), total_bytes);
  }
  return {};
}

// The data reach the disk when the system likes: a crash of the machine is not guarded against.
Result<void> OutputFile::commit() {
  const bool is_too_long = reserved_bytes_ > written_bytes_;
  if (is_too_long && ::ftruncate(file_.number(), static_cast<off_t>(written_bytes_)) != 0) {
    return fail_io(subject_, "cannot be finished", errno);
  }
  if (!file_.close()) return fail_io(subject_, "cannot be finished", errno);
  if (!temporary_.is_listed()) return {};
  if (std::rename(temporary_.path(), target_.c_str()) != 0) {
    return fail_io(subject_, "cannot be put in its place", errno);
  }
  temporary_.keep();
  return {};
}

bool is_standard_output(const std::string& path) { return named_descriptor(path) == STDOUT_FILENO; }

FileFormat format_for_output(const std::string& path, FileFormat stream_format) {
  if (path == "-") return stream_format;
  return path.ends_with(".npy") ? FileFormat::npy : FileFormat::raw;
}

Result<void> reserve_array(OutputFile& output, FileFormat format, DataType dtype,
                           std::uint64_t rows, std::uint64_t columns) {
  const std::size_t header_bytes =
      format == FileFormat::raw ? 0 : make_npy_header(dtype, rows, columns).size();
  return output.reserve(header_bytes + rows * columns * item_bytes(dtype));
}

Result<void> write_array_header(OutputFile& output, FileFormat format, DataType dtype,
                                std::uint64_t rows, std::uint64_t columns) {
  if (format == FileFormat::raw) return {};
  const std::string header = make_npy_header(dtype, rows, columns);
  return output.write(std::as_bytes(std::span(header)));
}

Result<void> write_array(OutputFile& output, FileFormat format, const ArrayView& array,
                         const Progress& progress) {
  if (auto header = write_array_header(output, format, array.dtype, array.rows); !header) {
    return header;
  }
  return output.write(array.bytes, progress);
}

}  // namespace wgprim::io
