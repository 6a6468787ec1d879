// Encode, submit, wait; see the header.
#include "run_loop.hpp"

#include "console.hpp"

namespace wgprim::cli {

Result<RunLoop> RunLoop::create(Device& device, Executable& executable,
                                const DeviceProfile& profile, bool is_timed) {
  if (!is_timed) return RunLoop(device, executable, profile, std::nullopt);
  auto timer = NodeTimer::create(device, executable.plan().nodes.size());
  if (timer) return RunLoop(device, executable, profile, std::move(*timer));
  if (timer.error().code != ErrorCode::unsupported) return pass_on(timer);
  say("the device has no timestamps; no node is timed.");
  return RunLoop(device, executable, profile, std::nullopt);
}

Result<void> RunLoop::run(std::uint64_t times, EncodeOptions options, ProgressLine& line) {
  options.node_timer = timer_ ? &*timer_ : nullptr;
  const std::size_t steps = executable_.plan().steps.size();
  for (std::uint64_t done = 0; done < times; ++done) {
    const auto show = [&](std::uint64_t step) { line.update("step", step, steps); };
    const auto ran = steps == 0 ? run_whole(options) : run_steps(options, show);
    if (!ran) return ran;
    if (auto ok = note(); !ok) return ok;
    if (steps <= 1) line.update("run", done + 1, times);
  }
  return {};
}

Result<void> RunLoop::run_whole(const EncodeOptions& options) {
  gpu_ns_.reset();
  return wgprim::run(device_, executable_, options, timer_ ? nullptr : &gpu_ns_);
}

template <class Show>
Result<void> RunLoop::run_steps(const EncodeOptions& options, Show show) {
  auto execution = executable_.begin(options);
  if (!execution) return pass_on(execution);
  const Workload& work = executable_.plan().workload;
  while (!execution->is_done()) {
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
    const auto encoded = execution->encode_next(encoder);
    // The encoder is consumed either way.
    const auto submitted = device_.submit_and_wait(encoder, work.bytes_read + work.bytes_written);
    if (!encoded) return pass_on(encoded);
    if (!submitted) return submitted;
    show(encoded->steps_done);
  }
  return {};
}

Result<void> RunLoop::note() {
  if (!timer_) {
    inspector_.add_run(executable_.outcomes());
    return {};
  }
  const auto times = timer_->read(device_);
  if (!times) return pass_on(times);
  inspector_.add_run(executable_.outcomes(), *times);
  gpu_ns_.reset();
  for (const auto& time : *times) {
    if (time) gpu_ns_ = gpu_ns_.value_or(0) + *time;
  }
  return {};
}

}  // namespace wgprim::cli
