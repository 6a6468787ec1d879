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

/// Polls until the completion is done. The deadline is the device's time-out and the time that
/// `bytes` of traffic take on a slow device. Errors: device_lost; internal, where
/// the awaited thing failed.
Result<void> wait_for(Device::State& device, const Completion& completion, std::uint64_t bytes);

/// Waits until everything submitted so far has run.
Result<void> wait_for_submitted_work(Device::State& device, std::uint64_t bytes);

/// Submits a command buffer that Finish found valid, or with null only the pending queue writes.
/// Waits for earlier work first: a submit behind a kernel that never ends would never return.
Result<void> submit(Device::State& device, WGPUCommandBuffer commands);

/// Never null; on a lost device its Finish reports the loss.
CommandEncoderHandle create_encoder(Device::State& device);

/// Finishes an encoder of this device under an error scope, submits and waits.
Result<void> submit_and_wait(Device::State& device, WGPUCommandEncoder encoder,
                             std::uint64_t bytes);

}  // namespace wgprim::native
