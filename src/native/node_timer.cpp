// GPU time by node: a pair of timestamps for each node that opens a compute pass, in as many query
// sets as the nodes take.
#include <algorithm>

#include "native/buffer_state.hpp"
#include "native/timer_state.hpp"
#include "native/wgpu_native.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kPairBytes = sizeof(native::TimestampPair);

Result<native::BufferHandle> create_timestamp_buffer(Device::State& device, std::uint64_t pairs,
                                                     WGPUBufferUsage usage) {
  return native::create_buffer(device, pairs * kPairBytes, usage | WGPUBufferUsage_CopySrc,
                               "timestamps", device.device_limits.max_buffer_size);
}

}  // namespace

void NodeTimer::State::start(std::size_t nodes) {
  ++run;
  plan_nodes = nodes;
  timed_nodes.clear();
}

std::uint32_t NodeTimer::State::add(std::uint32_t node) {
  timed_nodes.push_back(node);
  return static_cast<std::uint32_t>(timed_nodes.size() - 1);
}

void NodeTimer::State::resolve(WGPUCommandEncoder encoder, std::size_t first) const {
  while (first < timed_nodes.size()) {
    const std::size_t set = first / kPairsPerSet;
    const std::size_t end = std::min(timed_nodes.size(), (set + 1) * kPairsPerSet);
    wgpuCommandEncoderResolveQuerySet(
        encoder, queries[set].get(), static_cast<std::uint32_t>(2 * (first % kPairsPerSet)),
        static_cast<std::uint32_t>(2 * (end - first)), resolved.get(), 0);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, resolved.get(), 0, pairs.get(),
                                         first * kPairBytes, (end - first) * kPairBytes);
    first = end;
  }
}

Result<NodeTimer> NodeTimer::create(Device& device, std::size_t nodes) {
  Device::State& owner = *device.state();
  if (const auto offered = native::check_timestamps(owner); !offered) return pass_on(offered);
  if (nodes > State::kMostNodes) {
    return fail(ErrorCode::invalid_argument,
                concat("A node timer for ", nodes, " nodes is asked for, more than ",
                       State::kMostNodes, "."));
  }
  auto state = std::make_shared<State>();
  state->device = device.state();
  state->capacity = nodes;
  state->timed_nodes.reserve(nodes);
  for (std::size_t left = nodes; left > 0;) {
    const std::size_t here = std::min<std::size_t>(left, State::kPairsPerSet);
    auto set = native::create_query_set(owner, static_cast<std::uint32_t>(2 * here));
    if (!set) return pass_on(set);
    state->queries.push_back(std::move(*set));
    left -= here;
  }
  auto resolved = create_timestamp_buffer(
      owner, std::min<std::uint64_t>(nodes, State::kPairsPerSet), WGPUBufferUsage_QueryResolve);
  if (!resolved) return pass_on(resolved);
  auto pairs = create_timestamp_buffer(owner, nodes, WGPUBufferUsage_CopyDst);
  if (!pairs) return pass_on(pairs);
  state->resolved = std::move(*resolved);
  state->pairs = std::move(*pairs);
  return NodeTimer(std::move(state));
}

Result<std::vector<std::optional<double>>> NodeTimer::read(Device& device) const {
  const auto state = native::state_of(*this, *device.state());
  if (!state) return pass_on(state);
  if (const auto alive = device.state()->check_alive(); !alive) return pass_on(alive);
  std::vector<std::optional<double>> times((*state)->plan_nodes);
  const auto& timed = (*state)->timed_nodes;
  if (timed.empty()) return times;
  const auto pairs = native::read_pairs(*device.state(), (*state)->pairs.get(), timed.size());
  if (!pairs) return pass_on(pairs);
  const double period = native::timestamp_period(device.state()->queue.get());
  for (std::size_t i = 0; i < timed.size(); ++i)
    times[timed[i]] = native::nanoseconds((*pairs)[i], period);
  return times;
}

}  // namespace wgprim
