// GPU time of an encode, as a whole or by node. A timer goes into EncodeOptions (native.hpp) and is
// read after the submit has been waited for.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "wgprim/result.hpp"

namespace wgprim {

class Device;

/// GPU time of one encode; resolved after its submit has been waited for.
class Timer {
 public:
  /// Errors: unsupported where the device has no timestamps.
  static Result<Timer> create(Device& device);
  /// Nanoseconds between the start of the first compute pass and the end of the last one; nothing
  /// where the latest encode failed, no pass ran or the clock gave no usable pair.
  Result<std::optional<double>> read(Device& device);
  /// What `read` gives for each, in one transfer.
  static Result<std::vector<std::optional<double>>> read_all(Device& device,
                                                             std::span<const Timer> timers);

  struct State;  ///< Private to the library.
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit Timer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// GPU time of each node of an encode. Each node then gets compute passes of its own, so what is
/// timed is a little slower than what is not.
class NodeTimer {
 public:
  /// For plans of up to `nodes` nodes. Errors: unsupported where the device has no timestamps;
  /// invalid_argument for more than 65,536 nodes.
  static Result<NodeTimer> create(Device& device, std::size_t nodes);
  /// Nanoseconds by node of the latest encode, or of all steps of the latest execution so far:
  /// from the start of the node's first compute pass to the end of its last. Nothing for nodes
  /// that were skipped, have no compute pass (copies, clears, external work), or where the clock
  /// gave no usable pair. An encode that a check refuses leaves the times as they were. To be asked
  /// after the submit has been waited for.
  Result<std::vector<std::optional<double>>> read(Device& device) const;

  struct State;  ///< Private to the library.
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit NodeTimer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace wgprim
