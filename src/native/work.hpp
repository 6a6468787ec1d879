// Submitting work and waiting for it, never without end: a wait that runs into its deadline loses
// the device for good. Called by submit_and_wait, transfers and the timer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// What a callback tells the waiting thread. Shared by both, because a callback may come long after
/// the wait was given up.
class Completion {
 public:
  void finish(bool is_success, std::string_view message);

  bool is_done() const { return is_done_; }
  /// Why the awaited thing failed; meaningful once done.
  const std::optional<std::string>& failure() const { return failure_; }

 private:
  std::optional<std::string> failure_;  ///< Written before is_done_, read after it.
  std::atomic<bool> is_done_ = false;
};

/// A reference to a completion, as a callback's userdata; the callback takes it back.
void* as_userdata(const std::shared_ptr<Completion>& completion);
std::shared_ptr<Completion> take_back(void* userdata);

/// Polls until the completion is done. The deadline is the device's time-out and the time that the
/// traffic in flight takes on a slow device.
/// Errors: device_lost; internal, where the awaited thing failed.
Result<void> wait_for(Device::State& device, const Completion& completion);

/// Errors: device_lost, found before an encoder is asked for.
Result<CommandEncoderHandle> create_encoder(Device::State& device);

/// Submits the pending queue writes and waits for them. `bytes` of traffic extend the deadline.
Result<void> flush(Device::State& device, std::uint64_t bytes);

/// Finishes the encoder under an error scope, submits its commands, and waits for them.
Result<void> submit_and_wait(Device::State& device, WGPUCommandEncoder encoder,
                             std::uint64_t bytes);

}  // namespace wgprim::native
