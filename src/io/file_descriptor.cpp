// The POSIX calls behind files and streams, with their two nuisances handled in one place:
// interruption by signals, and standard streams that a parent process left in non-blocking mode.
#include "io/file_descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "wgprim/detail/text.hpp"

namespace wgprim::io {
namespace {

// Repeats a system call while signals interrupt it, and while a non-blocking stream (a parent
// process may have set that mode on our standard streams) asks to wait for `events`.
std::ptrdiff_t transfer(int number, short events, auto call) {
  while (true) {
    const std::ptrdiff_t count = call();
    if (count >= 0) return count;
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd ready{number, events, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return -1;
    }
  }
}

}  // namespace

bool FileDescriptor::close() {
  const int number = std::exchange(number_, -1);
  return number < 0 || ::close(number) == 0;
}

FileDescriptor open_file(const std::string& path, int flags, unsigned mode) {
  int number = -1;
  do {
    number = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (number < 0 && errno == EINTR);
  return FileDescriptor(number);
}

FileDescriptor duplicate(int number) { return FileDescriptor(::fcntl(number, F_DUPFD_CLOEXEC, 0)); }

std::ptrdiff_t read_some(const FileDescriptor& file, std::span<std::byte> buffer) {
  return transfer(file.number(), POLLIN,
                  [&] { return ::read(file.number(), buffer.data(), buffer.size()); });
}

std::ptrdiff_t write_some(const FileDescriptor& file, std::span<const std::byte> bytes) {
  return transfer(file.number(), POLLOUT,
                  [&] { return ::write(file.number(), bytes.data(), bytes.size()); });
}

std::unexpected<Error> fail_io(std::string_view subject, std::string_view problem,
                               int errno_value) {
  const std::string reason = std::generic_category().message(errno_value);
  return fail(ErrorCode::io, concat(subject, " ", problem, ": ", reason, "."));
}

}  // namespace wgprim::io
