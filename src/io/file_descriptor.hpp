// An owned POSIX file descriptor, and reads and writes that are not put off by signals or by a
// stream in non-blocking mode. Used by array_file.cpp and output_file.cpp.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "wgprim/result.hpp"

namespace wgprim::io {

/// Closes the descriptor when it goes. Move-only; -1 is none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

  /// False, with errno set, where the system reports only now that earlier writes failed.
  bool close();

 private:
  int number_ = -1;
};

/// open(2) with O_CLOEXEC, tried again when a signal interrupts it. Not open on failure (errno).
FileDescriptor open_file(const std::string& path, int flags, unsigned mode = 0);

/// A second descriptor of the same open file. Not open on failure (errno).
FileDescriptor duplicate(int number);

/// Bytes read, 0 at the end of the file, -1 on failure (errno). Waits for the first byte.
std::ptrdiff_t read_some(const FileDescriptor& file, std::span<std::byte> buffer);

/// Bytes written, at least 1 of a non-empty span, -1 on failure (errno).
std::ptrdiff_t write_some(const FileDescriptor& file, std::span<const std::byte> bytes);

/// An Error with code io and the system's words for an errno value at the end:
/// "Input 'a' cannot be opened: Permission denied."
std::unexpected<Error> fail_io(std::string_view subject, std::string_view problem, int errno_value);

}  // namespace wgprim::io
