// Encodes variants one after the other into one submit; see the header.
#include "device_stage.hpp"

#include <algorithm>
#include <chrono>

#include "wgprim/detail/text.hpp"

namespace wgprim::bench {

Plan repeated(const Plan& plan, std::uint32_t times) {
  Plan result = plan;
  for (std::uint32_t i = 1; i < times; ++i) {
    const auto first = static_cast<std::uint32_t>(result.dispatches.size());
    result.dispatches.insert(result.dispatches.end(), plan.dispatches.begin(),
                             plan.dispatches.end());
    for (PlanPass pass : plan.passes) {
      if (auto* compute = std::get_if<PlanComputePass>(&pass)) {
        compute->first += first;
        compute->end += first;
      }
      result.passes.push_back(pass);
    }
  }
  return result;
}

Result<DeviceStage> DeviceStage::create(Device& device, std::vector<Variant> variants,
                                        bool has_timestamps) {
  DeviceStage stage(device, std::move(variants), has_timestamps);
  if (auto ok = stage.set_batch(1); !ok) return pass_on(ok);
  return stage;
}

Result<void> DeviceStage::set_batch(std::uint32_t runs) {
  if (runs == batch_) return {};
  executables_.clear();
  for (const Variant& variant : variants_) {
    auto executable = Executable::create(device_, repeated(variant.plan, runs));
    if (!executable) return pass_on(executable);
    executables_.push_back(std::move(*executable));
  }
  batch_ = runs;
  return {};
}

Result<void> DeviceStage::check() {
  for (std::size_t i = 0; i < variants_.size(); ++i) {
    if (auto ok = check(i); !ok) return ok;
  }
  return {};
}

Result<void> DeviceStage::check(std::size_t index) {
  const Variant& variant = variants_[index];
  const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
  for (const Buffer* output : variant.outputs)
    wgpuCommandEncoderClearBuffer(encoder, output->handle(), 0, WGPU_WHOLE_SIZE);
  const auto encoded = executables_[index].encode(encoder, {.imports = variant.imports});
  const auto submitted = device_.submit_and_wait(encoder, variant.bytes * batch_);
  if (!encoded) return encoded;
  if (!submitted) return submitted;
  const auto right = variant.check();
  if (right || right.error().code != ErrorCode::verification_failed) return right;
  return fail(
      ErrorCode::verification_failed,
      concat("'", variant.name, "' is not timed, its result is wrong. ", right.error().message));
}

Result<Sample> DeviceStage::run_by_the_host_clock(std::size_t index) {
  const Variant& variant = variants_[index];
  const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
  const auto encoded = executables_[index].encode(encoder, {.imports = variant.imports});
  const auto start = std::chrono::steady_clock::now();
  const auto submitted = device_.submit_and_wait(encoder, variant.bytes * batch_);
  const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  if (!encoded) return pass_on(encoded);
  if (!submitted) return pass_on(submitted);
  return time.count();
}

Result<void> DeviceStage::drain_queue() {
  return device_.submit_and_wait(wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr), 0);
}

Result<std::vector<Sample>> DeviceStage::run(std::span<const std::size_t> order) {
  // Work queued before, whoever's it is, is in no sample.
  if (auto ok = drain_queue(); !ok) return pass_on(ok);
  return has_timestamps_ ? run_by_timestamps(order) : run_by_the_host_clock(order);
}

Result<std::vector<Sample>> DeviceStage::run_by_the_host_clock(std::span<const std::size_t> order) {
  std::vector<Sample> samples;
  for (const std::size_t index : order) {
    const auto sample = run_by_the_host_clock(index);
    if (!sample) return pass_on(sample);
    samples.push_back(*sample);
  }
  return samples;
}

Result<std::vector<Sample>> DeviceStage::run_by_timestamps(std::span<const std::size_t> order) {
  while (timers_.size() < order.size()) {
    auto timer = Timer::create(device_);
    if (!timer) return pass_on(timer);
    timers_.push_back(std::move(*timer));
  }
  const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
  Result<void> encoded;
  std::uint64_t bytes = 0;
  for (std::size_t at = 0; at < order.size() && encoded; ++at) {
    const Variant& variant = variants_[order[at]];
    encoded = executables_[order[at]].encode(encoder,
                                             {.imports = variant.imports, .timer = &timers_[at]});
    bytes += variant.bytes * batch_;
  }
  const auto submitted = device_.submit_and_wait(encoder, bytes);
  if (!encoded) return pass_on(encoded);
  if (!submitted) return pass_on(submitted);
  return Timer::read_all(device_, std::span(timers_).first(order.size()));
}

}  // namespace wgprim::bench
