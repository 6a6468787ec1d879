// The graph builder: declare buffers, add operations, compile to a Plan.
// `add` checks a description against its graph; `compile` checks what only the whole graph shows:
// cycles, transients read before they are written, limits of the device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::vector<Use> usage;  ///< What nodes may use it for; empty: whatever they ask for.
};

/// Scratch of the graph: contents live within one encode, memory is shared with other transients.
/// Takes max(rows, 1) rows.
struct TransientBuffer {
  std::string id;
  std::uint64_t rows = 0;
  Format format = Format::uint32;
  std::vector<Use> usage;  ///< As of an ImportedBuffer.
};

/// A graph of operations over declared buffers. Used by one thread at a time. Movable; one that was
/// moved from can only be assigned to or destroyed.
///
/// Order: per buffer, a reader runs after the last writer declared before it, a writer after the
/// last writer and the readers since; `depends_on` adds to that. Nodes run in waves: again and
/// again all that are ready, in the order of declaration.
class Graph {
 public:
  explicit Graph(std::string id = {});
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  const std::string& id() const;

  /// Declares a buffer of the caller. Errors: empty id, an id already taken, a frozen graph.
  Result<BufferId> import_buffer(ImportedBuffer buffer);

  /// Declares scratch. Errors: those of import_buffer; more bytes than 64 bits count.
  Result<BufferId> declare_transient(TransientBuffer buffer);

  /// Gives a view a name for graph files and reports. Views may be used without one.
  /// Errors: an empty id, one taken by a view or a buffer, a frozen graph, a view that reaches
  /// beyond its buffer.
  Result<void> name_view(std::string id, VectorView view);

  /// The view of that name, else the whole buffer of that id as uint32; nothing where neither is.
  std::optional<VectorView> find_view(std::string_view id) const;

  /// Adds an operation. Errors: an empty or taken id; a view out of its buffer, misaligned, or
  /// strided where it must be packed; a use that the buffer's declared usage does not allow;
  /// aliasing that the operation cannot honour; its own conditions (see the description).
  /// A refused operation leaves the graph as it was.
  Result<void> add(Scan scan);
  Result<void> add(Compute compute);
  Result<void> add(Copy copy);
  Result<void> add(Clear clear);
  Result<void> add(External external);

  /// Plans the graph for a device and freezes it: later declarations are errors, also after a
  /// failed compile. Pure: equal graphs and profiles give equal plans, byte for byte. Errors: an
  /// id of the graph that is no UTF-8; an unknown id in `depends_on` or a cycle, with the nodes in
  /// it; a transient that is read before anything wrote it, or whose first writer may be skipped
  /// where its reader is not; a path or subgroups that the device lacks; a dispatch or binding
  /// beyond its limits.
  Result<Plan> compile(const DeviceProfile& profile);

  struct State;  ///< Private to the library.
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

/// The plan of one scan over arrays of its own: imports "input" and "output", or "data" where it is
/// in place. An array larger than the largest buffer is held in several: "input0", "input1", ...;
/// all inputs come before all outputs. Errors: as Graph::add and Graph::compile.
Result<Plan> plan_scan(std::uint64_t rows, const ScanOptions& options,
                       const DeviceProfile& profile);

}  // namespace wgprim
