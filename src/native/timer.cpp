// GPU time of an encode. Only queries that the same encode wrote are resolved: SwiftShader never
// returns from resolving others.
#include <array>
#include <cstring>

#include "native/buffer_state.hpp"
#include "native/error_scope.hpp"
#include "native/timer_state.hpp"
#include "native/transfer.hpp"
#include "native/wgpu_native.hpp"

namespace wgprim {

Result<Timer> Timer::create(Device& device) {
  Device::State& owner = *device.state();
  if (const auto alive = owner.check_alive(); !alive) return pass_on(alive);
  if (!owner.allowed.timestamps) {
    return fail(ErrorCode::unsupported,
                "The device has no timestamps, or was asked to leave them out.");
  }
  auto state = std::make_shared<State>();
  state->device = device.state();
  WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
  descriptor.type = WGPUQueryType_Timestamp;
  descriptor.count = State::kQueries;
  native::ErrorScope scope(owner);
  state->queries.reset(wgpuDeviceCreateQuerySet(owner.device.get(), &descriptor));
  if (auto error = scope.close(ErrorCode::out_of_memory, "A timer cannot be made")) {
    return std::unexpected(std::move(*error));
  }
  auto resolved = native::create_buffer(owner, State::kBytes,
                                        WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc,
                                        "timestamps", owner.device_limits.max_buffer_size);
  if (!resolved) return pass_on(resolved);
  state->resolved = std::move(*resolved);
  return Timer(std::move(state));
}

Result<std::optional<double>> Timer::read(Device& device) {
  if (!state_ || state_->device != device.state()) {
    return fail(ErrorCode::invalid_argument,
                "The timer was moved from or belongs to another device.");
  }
  if (const auto alive = state_->device->check_alive(); !alive) return pass_on(alive);
  if (!state_->is_recorded) return std::nullopt;
  std::array<std::uint64_t, State::kQueries> ticks{};
  const auto copied = native::read_buffer(*state_->device, state_->resolved.get(), 0, State::kBytes,
                                          [&](std::span<const std::byte> bytes) -> Result<void> {
                                            std::memcpy(ticks.data(), bytes.data(), bytes.size());
                                            return {};
                                          });
  if (!copied) return pass_on(copied);
  const auto [begin, end] = ticks;
  if (begin == 0 || end <= begin) return std::nullopt;
  return static_cast<double>(end - begin) * native::timestamp_period(state_->device->queue.get());
}

}  // namespace wgprim
