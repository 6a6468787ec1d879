// The graph builder: declare buffers, add operations, compile to a Plan.
// Validation happens once, in `add`; compile never fails for a reason that `add` could have seen.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "wgprim/limits.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"
#include "wgprim/view.hpp"

namespace wgprim {

/// A buffer that the caller owns and names at each encode.
struct ImportedBuffer {
  std::string id;
  std::uint64_t bytes = 0;
};

/// A graph of operations over declared buffers. Used by one thread at a time. Movable; one that was
/// moved from can only be assigned to or destroyed.
class Graph {
 public:
  Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  /// Declares a buffer of the caller. Errors: empty id, an id already taken, a frozen graph.
  Result<BufferId> import_buffer(ImportedBuffer buffer);

  /// Adds a scan. Errors: empty or taken id; a view out of its buffer, misaligned or strided; an
  /// output shorter than the input; aliasing that a scan cannot honour; more than 2^32 - 1 rows.
  /// A refused operation leaves the graph as it was.
  Result<void> add(Scan scan);

  /// Plans the graph for a device and freezes it: later declarations are errors, also after a
  /// failed compile. Pure: equal graphs and profiles give equal plans, byte for byte. Errors: a
  /// path or subgroups that the device lacks; a dispatch beyond its limits.
  Result<Plan> compile(const DeviceProfile& profile);

  struct State;  ///< Private to the library.

 private:
  std::unique_ptr<State> state_;
};

/// The plan of one scan over arrays of its own: imports "input" and "output", or "data" where it is
/// in place. An array larger than the largest buffer is held in several: "input0", "input1", ...;
/// all inputs come before all outputs. Errors: as Graph::add and Graph::compile.
Result<Plan> plan_scan(std::uint64_t rows, const ScanOptions& options,
                       const DeviceProfile& profile);

}  // namespace wgprim
