// Writing an output that is either complete or not there: a regular file is written beside its
// target and renamed over it on commit. Called by every verb of the command line that writes data.
//
// A program that uses it ignores SIGXFSZ (else a file size limit kills it with the partial file in
// place) and SIGPIPE, and calls remove_unfinished_outputs() from its SIGINT and SIGTERM handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "io/array_view.hpp"
#include "io/file_descriptor.hpp"
#include "io/unfinished_outputs.hpp"
#include "wgprim/result.hpp"

namespace wgprim::io {

/// Called after each piece with the bytes written so far and the bytes asked for.
using Progress = std::function<void(std::uint64_t done_bytes, std::uint64_t total_bytes)>;

/// An open output. Move-only; destroying it before commit() leaves a regular target as it was.
class OutputFile {
 public:
  /// Opens `path` for writing. "-", /dev/stdout, /dev/stderr and /dev/fd/N are that open stream.
  /// An absent or regular target, at the end of any symbolic links, stays untouched until commit();
  /// its owner and permissions pass to the new file as far as allowed, hard links do not. Anything
  /// else (device, FIFO) is written directly; a FIFO blocks until it has a reader.
  /// Errors: io for a missing or unwritable folder, a directory, a read-only or closed target.
  static Result<OutputFile> create(const std::string& path);

  /// Claims room for that many bytes, so that a full disk is found before the work that fills it.
  /// Does nothing for what is written directly. Error: io with the system's reason.
  Result<void> reserve(std::uint64_t bytes);

  /// Appends `bytes`, in pieces of at most 4 MiB.
  /// Errors: io with the system's reason: full disk, file size limit, closed pipe. After an error
  /// the output can only be destroyed.
  Result<void> write(std::span<const std::byte> bytes, const Progress& progress = {});

  /// Closes the output and puts it in its place. Nothing can be written afterwards.
  /// Errors: io where closing or renaming fails; the target is then as it was.
  Result<void> commit();

  /// The file that commit() puts in place, by its full path: equal where two outputs would replace
  /// each other. Empty for what is written directly.
  const std::string& target() const { return target_; }

  /// Whether a write failed because nobody reads the pipe any more: time to end quietly.
  bool is_pipe_closed() const { return is_pipe_closed_; }

 private:
  OutputFile() = default;
  static Result<OutputFile> create_beside(const std::string& target, std::string subject);
  static Result<OutputFile> open_directly(const std::string& path, std::string subject);

  std::string subject_;  // Begins each error's sentence: "Output 'a.npy'".
  FileDescriptor file_;
  UnfinishedOutput temporary_;  // Not listed for what is written directly.
  std::string target_;          // What the temporary file is renamed to.
  std::uint64_t reserved_bytes_ = 0;
  std::uint64_t written_bytes_ = 0;
  bool is_pipe_closed_ = false;
};

/// Whether writing to the path is writing to standard output: "-", /dev/stdout, /dev/fd/1.
bool is_standard_output(const std::string& path);

/// The format of an output: `stream_format` for "-", .npy where the path ends so, else raw.
FileFormat format_for_output(const std::string& path, FileFormat stream_format);

/// Claims room for a whole array; see OutputFile::reserve. More than one column make it 2-D.
Result<void> reserve_array(OutputFile& output, FileFormat format, DataType dtype,
                           std::uint64_t rows, std::uint64_t columns = 1);

/// Writes what stands before the data of an array: nothing in a raw file.
Result<void> write_array_header(OutputFile& output, FileFormat format, DataType dtype,
                                std::uint64_t rows, std::uint64_t columns = 1);

/// Writes a whole array, header included; `progress` counts the data alone.
Result<void> write_array(OutputFile& output, FileFormat format, const ArrayView& array,
                         const Progress& progress = {});

/// Removes the temporary files of all outputs that are neither committed nor destroyed.
/// Async-signal-safe. For a process about to end: their objects can no longer be committed.
void remove_unfinished_outputs() noexcept;

}  // namespace wgprim::io
