// Waiting is poll and sleep: wgpu-native has no wait with a time-out, and its errors at submit end
// the process, so all that can be wrong is found out before.
#include "native/work.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "native/device_state.hpp"
#include "native/error_scope.hpp"
#include "native/handle.hpp"
#include "native/wgpu_native.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

/// Slower than any device seen (SwiftShader scans 8 MB/s of rows, each counted several times).
constexpr std::uint64_t kSlowBytesPerMillisecond = 20'000;

/// Short waits end within some microseconds; sleeping costs 50 or more. Later each sleep is an
/// eighth of the time waited so far, so that no wait takes much longer than its work.
constexpr microseconds kSpinTime{60};
constexpr microseconds kShortestSleep{20};
constexpr microseconds kLongestSleep{1000};

/// Longer than anybody waits, and safe from overflow.
constexpr milliseconds kLongestTimeOut = std::chrono::hours(24 * 365);

milliseconds allowed_time(const Device::State& device) {
  return std::min(device.time_out, kLongestTimeOut) +
         milliseconds(device.bytes_in_flight / kSlowBytesPerMillisecond);
}

/// Counts traffic as in flight while it is submitted and waited for.
class InFlight {
 public:
  InFlight(Device::State& device, std::uint64_t bytes) : device_(device), bytes_(bytes) {
    device_.bytes_in_flight += bytes_;
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() { device_.bytes_in_flight -= bytes_; }

 private:
  Device::State& device_;
  std::uint64_t bytes_;
};

CommandBufferHandle finish(WGPUCommandEncoder encoder) {
  return CommandBufferHandle(wgpuCommandEncoderFinish(encoder, nullptr));
}

Result<void> outcome(const Completion& completion) {
  if (!completion.failure()) return {};
  return fail(ErrorCode::internal, concat("The device fails: ", *completion.failure()));
}

/// Submitting another device's commands would end the process. A second Finish is an error that
/// reaches the encoder's own device: silence here means another one. That one's own callback hears
/// of it; where it has none wgpu-native ends the process, which nothing can tell beforehand.
bool is_of_device(Device::State& device, WGPUCommandEncoder finished_encoder) {
  ErrorScope scope(device);
  finish(finished_encoder);
  return scope.close(ErrorCode::internal, {}).has_value();
}

/// A device can be lost without a word until it is used; a submit would end the process then, and
/// so would an encoder where the device's maker left the callback for its loss out. An empty buffer
/// reports the loss to the error scope alone.
Result<void> probe_alive(Device::State& device) {
  if (const auto alive = device.check_alive(); !alive) return alive;
  WGPUBufferDescriptor empty = WGPU_BUFFER_DESCRIPTOR_INIT;
  empty.label = to_webgpu("liveness probe");
  empty.usage = WGPUBufferUsage_CopyDst;
  ErrorScope scope(device);
  const BufferHandle probe(wgpuDeviceCreateBuffer(device.device.get(), &empty));
  if (auto error = scope.close(ErrorCode::device_lost, "The device makes no buffer")) {
    return std::unexpected(std::move(*error));
  }
  return device.check_alive();
}

/// Waits until everything submitted so far has run.
Result<void> wait_for_submitted_work(Device::State& device) {
  const auto awaited = std::make_shared<Completion>();
  WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.userdata1 = as_userdata(awaited);
  info.callback = [](WGPUQueueWorkDoneStatus status, WGPUStringView message, void* userdata,
                     void*) {
    take_back(userdata)->finish(status == WGPUQueueWorkDoneStatus_Success, from_webgpu(message));
  };
  wgpuQueueOnSubmittedWorkDone(device.queue.get(), info);
  return wait_for(device, *awaited);
}

/// Submits a command buffer that Finish found valid, or with null only the pending queue writes.
/// Waits for earlier work first: a submit behind a kernel that never ends would never return.
Result<void> submit(Device::State& device, WGPUCommandBuffer commands) {
  const std::lock_guard lock(device.submit_mutex);
  if (const auto alive = device.check_alive(); !alive) return alive;
  if (!poll(device.device.get())) {
    if (const auto idle = wait_for_submitted_work(device); !idle) return idle;
  }
  if (const auto alive = probe_alive(device); !alive) return alive;
  wgpuQueueSubmit(device.queue.get(), commands == nullptr ? 0 : 1, &commands);
  device.unsubmitted_bytes = 0;
  return {};
}

Result<void> submit_and_wait_for(Device::State& device, WGPUCommandBuffer commands,
                                 std::uint64_t bytes) {
  const InFlight in_flight(device, bytes);
  if (const auto submitted = submit(device, commands); !submitted) return submitted;
  return wait_for_submitted_work(device);
}

}  // namespace

void Completion::finish(bool is_success, std::string_view message) {
  if (!is_success) failure_ = plain_text(message);
  is_done_ = true;
}

void* as_userdata(const std::shared_ptr<Completion>& completion) {
  return new std::shared_ptr<Completion>(completion);
}

std::shared_ptr<Completion> take_back(void* userdata) {
  const std::unique_ptr<std::shared_ptr<Completion>> owner(
      static_cast<std::shared_ptr<Completion>*>(userdata));
  return *owner;
}

Result<void> wait_for(Device::State& device, const Completion& completion) {
  const milliseconds allowed = allowed_time(device);
  const Clock::time_point start = Clock::now();
  for (;;) {
    poll(device.device.get());
    if (completion.is_done()) return outcome(completion);
    if (const auto alive = device.check_alive(); !alive) return alive;
    const auto waited = Clock::now() - start;
    if (waited > allowed) break;
    if (waited < kSpinTime) continue;
    const auto sleep = std::chrono::duration_cast<microseconds>(waited / 8);
    std::this_thread::sleep_for(std::clamp(sleep, kShortestSleep, kLongestSleep));
  }
  device.abandon(concat("work on it did not end within ", allowed.count(), " ms"));
  return device.check_alive();
}

Result<CommandEncoderHandle> create_encoder(Device::State& device) {
  if (const auto alive = probe_alive(device); !alive) return pass_on(alive);
  return CommandEncoderHandle(wgpuDeviceCreateCommandEncoder(device.device.get(), nullptr));
}

Result<void> flush(Device::State& device, std::uint64_t bytes) {
  return submit_and_wait_for(device, nullptr, bytes);
}

Result<void> submit_and_wait(Device::State& device, WGPUCommandEncoder encoder,
                             std::uint64_t bytes) {
  ErrorScope scope(device);
  const CommandBufferHandle commands = finish(encoder);
  if (auto error = scope.close(ErrorCode::invalid_argument, "The commands cannot be submitted")) {
    return std::unexpected(std::move(*error));
  }
  if (!is_of_device(device, encoder)) {
    return fail(ErrorCode::invalid_argument, "The command encoder belongs to another device.");
  }
  return submit_and_wait_for(device, commands.get(), bytes);
}

}  // namespace wgprim::native
