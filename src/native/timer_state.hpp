// Query sets and the buffers that they are resolved into: of one encode as a whole, and by node.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "native/device_state.hpp"
#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

struct Timer::State {
  static constexpr std::uint32_t kBegin = 0;
  static constexpr std::uint32_t kEnd = 1;
  static constexpr std::uint32_t kQueries = 2;
  static constexpr std::uint64_t kBytes = 16;  ///< Of the resolved pair.

  std::shared_ptr<Device::State> device;
  native::QuerySetHandle queries;
  native::BufferHandle resolved;
  bool is_recorded = false;  ///< Whether the latest encode succeeded and wrote the pair.
};

/// Pairs of timestamps are handed out in the order in which nodes are recorded, so that those
/// written are always the first ones.
struct NodeTimer::State {
  static constexpr std::size_t kMostNodes = 65'536;
  static constexpr std::uint32_t kQueriesPerSet = 4096;  ///< The most that WebGPU allows.
  static constexpr std::uint32_t kPairsPerSet = kQueriesPerSet / 2;

  /// Starts over for an encode or execution of a plan with so many nodes.
  void start(std::size_t plan_nodes);
  /// Hands a pair to a node; its number.
  std::uint32_t add(std::uint32_t node);
  /// Records how the pairs from `first` on get into `pairs`.
  void resolve(WGPUCommandEncoder encoder, std::size_t first) const;

  std::shared_ptr<Device::State> device;
  std::size_t capacity = 0;
  std::vector<native::QuerySetHandle> queries;
  native::BufferHandle resolved;  ///< Of one set: resolving needs an offset of 256 bytes or more.
  native::BufferHandle pairs;     ///< Of all sets.
  std::uint64_t run = 0;          ///< How often it has started over.
  bool is_recording = false;
  std::size_t plan_nodes = 0;
  std::vector<std::uint32_t> timed_nodes;  ///< By pair.
};

namespace native {

/// A pair of timestamps as the device wrote it: begin and end.
using TimestampPair = std::array<std::uint64_t, 2>;

/// Errors: unsupported where the device has no timestamps, or was asked to leave them out.
Result<void> check_timestamps(const Device::State& device);

/// Errors: out_of_memory.
Result<QuerySetHandle> create_query_set(Device::State& device, std::uint32_t queries);

/// The pairs at the start of a copy-source buffer.
Result<std::vector<TimestampPair>> read_pairs(Device::State& device, WGPUBuffer buffer,
                                              std::size_t count);

/// Nothing where the clock gave no usable pair. `period`: nanoseconds of one tick.
std::optional<double> nanoseconds(const TimestampPair& pair, double period);

/// The state of a timer of this device. Errors: one moved from or of another device.
template <class AnyTimer>
Result<typename AnyTimer::State*> state_of(const AnyTimer& timer, const Device::State& device) {
  if (timer.state() && timer.state()->device.get() == &device) return timer.state().get();
  return fail(ErrorCode::invalid_argument,
              "The timer was moved from or belongs to another device.");
}

}  // namespace native
}  // namespace wgprim
