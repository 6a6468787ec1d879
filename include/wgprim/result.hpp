// Error values: every fallible call returns Result<T>; nothing in the library throws, prints,
// aborts or exits. docs/errors.md explains each code; the command line maps codes to exit statuses.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace wgprim {

/// What kind of thing went wrong. The message says which value, which limit and which buffer.
enum class ErrorCode {
  invalid_argument,  ///< An option or description that makes no sense on any device.
  invalid_view,      ///< A view that is misaligned, strided where it must be packed, or out of its
                     ///< buffer.
  invalid_graph,     ///< Ids, uses or dependencies of a graph that contradict each other.
  aliasing,          ///< Operands that share storage in a way the operation cannot honour.
  limit_exceeded,    ///< More than a device limit (or a limit given to the planner) allows.
  unsupported,       ///< A path or feature that the device lacks, or a data type not taken.
  invalid_file,      ///< A data, graph or plan file that cannot be understood.
  io,                ///< Reading or writing failed: missing file, full disk, closed pipe.
  no_adapter,        ///< No usable GPU adapter, or none that matches the request.
  device_lost,       ///< The device is gone, or a wait on it ran into its time-out.
  out_of_memory,     ///< The device or the host has no memory left for a buffer.
  verification_failed,  ///< A computed result differs from the reference.
  internal,             ///< A fault of this library.
};

/// The code's name as it stands in docs/errors.md and in JSON, for example "limit_exceeded".
const char* to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  /// One or more complete sentences in the present tense, naming value, limit and buffer.
  std::string message;
};

template <class T>
using Result = std::expected<T, Error>;

/// `return fail(ErrorCode::aliasing, "...");` from any function that returns a Result. What stands
/// between single quotes in a line keeps 100 characters at most, the message 2,000: names come from
/// files that may mean harm.
std::unexpected<Error> fail(ErrorCode code, std::string message);

/// Hands an error on to a caller whose Result holds another type.
template <class T>
std::unexpected<Error> pass_on(const Result<T>& result) {
  return std::unexpected<Error>(result.error());
}

}  // namespace wgprim
