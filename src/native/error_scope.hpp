// Turns what WebGPU reports about a few calls into one Error. Every call that can be refused runs
// under an ErrorScope: an error that nobody catches ends the process in wgpu-native.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "wgprim/native.hpp"

namespace wgprim::native {

/// Catches the errors of the WebGPU calls made between construction and close, by this thread.
/// WebGPU's stack of scopes belongs to the device, so the device's scope mutex is held meanwhile.
class ErrorScope {
 public:
  explicit ErrorScope(Device::State& device);
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;
  /// Drops whatever close() has not fetched.
  ~ErrorScope();

  /// The first error as "<context>: <WebGPU's text>". Lack of memory gets its own code, anything
  /// else `code`. A lost device is marked so and answers as it always will from then on.
  std::optional<Error> close(ErrorCode code, std::string_view context);

  /// Catches again, after a close.
  void open();

 private:
  Device::State& device_;
  std::unique_lock<std::recursive_mutex> lock_;
  bool is_open_ = false;
};

/// WebGPU's text without its "Validation Error, caused by" frame; one line unless it quotes a
/// shader.
std::string plain_text(std::string_view message);

}  // namespace wgprim::native
