// GPU time of an encode. Only queries that the same encode wrote are resolved: SwiftShader never
// returns from resolving others.
#include <cstring>
#include <vector>

#include "native/buffer_state.hpp"
#include "native/error_scope.hpp"
#include "native/timer_state.hpp"
#include "native/transfer.hpp"
#include "native/wgpu_native.hpp"
#include "native/work.hpp"

namespace wgprim {
namespace native {

static_assert(sizeof(TimestampPair) == Timer::State::kBytes);

Result<void> check_timestamps(const Device::State& device) {
  if (const auto alive = device.check_alive(); !alive || device.allowed.timestamps) return alive;
  return fail(ErrorCode::unsupported,
              "The device has no timestamps, or was asked to leave them out.");
}

Result<QuerySetHandle> create_query_set(Device::State& device, std::uint32_t queries) {
  WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
  descriptor.type = WGPUQueryType_Timestamp;
  descriptor.count = queries;
  ErrorScope scope(device);
  QuerySetHandle made(wgpuDeviceCreateQuerySet(device.device.get(), &descriptor));
  if (auto error = scope.close(ErrorCode::out_of_memory, "A timer cannot be made")) {
    return std::unexpected(std::move(*error));
  }
  return made;
}

Result<std::vector<TimestampPair>> read_pairs(Device::State& device, WGPUBuffer buffer,
                                              std::size_t count) {
  std::vector<TimestampPair> pairs(count);
  std::size_t done = 0;
  const auto read = read_buffer(
      device, buffer, 0, count * sizeof(TimestampPair), [&](std::span<const std::byte> bytes) {
        std::memcpy(std::as_writable_bytes(std::span(pairs)).data() + done, bytes.data(),
                    bytes.size());
        done += bytes.size();
        return Result<void>();
      });
  if (!read) return pass_on(read);
  return pairs;
}

std::optional<double> nanoseconds(const TimestampPair& pair, double period) {
  const auto [begin, end] = pair;
  if (begin == 0 || end <= begin) return std::nullopt;
  return static_cast<double>(end - begin) * period;
}

}  // namespace native

namespace {

/// The pairs of all timers, zeros where the latest encode wrote none: one copy each, one read-back.
Result<std::vector<native::TimestampPair>> gather(Device::State& device,
                                                  std::span<const Timer> timers) {
  constexpr std::uint64_t kBytes = Timer::State::kBytes;
  const auto all = native::create_buffer(device, timers.size() * kBytes,
                                         WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc,
                                         "timestamps", device.device_limits.max_buffer_size);
  if (!all) return pass_on(all);
  const auto encoder = native::create_encoder(device);
  if (!encoder) return pass_on(encoder);
  for (std::size_t i = 0; i < timers.size(); ++i) {
    const Timer::State& timer = *timers[i].state();
    if (!timer.is_recorded) continue;
    wgpuCommandEncoderCopyBufferToBuffer(encoder->get(), timer.resolved.get(), 0, all->get(),
                                         i * kBytes, kBytes);
  }
  const auto copied = native::submit_and_wait(device, encoder->get(), timers.size() * kBytes);
  if (!copied) return pass_on(copied);
  return native::read_pairs(device, all->get(), timers.size());
}

Result<void> check_readable(const Timer& timer, const Device& device) {
  const auto state = native::state_of(timer, *device.state());
  return state ? device.state()->check_alive() : pass_on(state);
}

}  // namespace

Result<Timer> Timer::create(Device& device) {
  Device::State& owner = *device.state();
  if (const auto offered = native::check_timestamps(owner); !offered) return pass_on(offered);
  auto state = std::make_shared<State>();
  state->device = device.state();
  auto queries = native::create_query_set(owner, State::kQueries);
  if (!queries) return pass_on(queries);
  state->queries = std::move(*queries);
  auto resolved = native::create_buffer(owner, State::kBytes,
                                        WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc,
                                        "timestamps", owner.device_limits.max_buffer_size);
  if (!resolved) return pass_on(resolved);
  state->resolved = std::move(*resolved);
  return Timer(std::move(state));
}

Result<std::optional<double>> Timer::read(Device& device) {
  if (const auto readable = check_readable(*this, device); !readable) return pass_on(readable);
  if (!state_->is_recorded) return std::nullopt;
  const auto pair = native::read_pairs(*state_->device, state_->resolved.get(), 1);
  if (!pair) return pass_on(pair);
  return native::nanoseconds(pair->front(), native::timestamp_period(state_->device->queue.get()));
}

Result<std::vector<std::optional<double>>> Timer::read_all(Device& device,
                                                           std::span<const Timer> timers) {
  std::vector<std::optional<double>> times;
  if (timers.empty()) return times;
  for (const Timer& timer : timers) {
    if (const auto readable = check_readable(timer, device); !readable) return pass_on(readable);
  }
  const auto pairs = gather(*device.state(), timers);
  if (!pairs) return pass_on(pairs);
  const double period = native::timestamp_period(device.state()->queue.get());
  for (const native::TimestampPair& pair : *pairs)
    times.push_back(native::nanoseconds(pair, period));
  return times;
}

}  // namespace wgprim
