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
  Result<void> add(ScanU64 scan);
  Result<void> add(Reduce reduce);
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

/// Packed rows of an array in one of its buffers.
struct ArrayPart {
  std::uint32_t buffer = 0;
  std::uint64_t byte_offset = 0;
  std::uint64_t rows = 0;
  bool operator==(const ArrayPart&) const = default;
};

/// Where the rows of an array lie, part by part; parts of one buffer follow each other.
struct ArrayLayout {
  std::vector<std::uint64_t> buffer_bytes;
  std::vector<ArrayPart> parts;
  /// "input", or "input0", "input1", ... where there are several buffers.
  std::string buffer_id(std::string_view array, std::size_t buffer) const;
};

/// Lays out an array: without chunks in one buffer; with chunks in one buffer each, or, above 1,024
/// of them, in 1,024 buffers with a gap between chunks. What is larger than the largest buffer is
/// held in several.
/// Errors: invalid_argument for chunks that do not add up to the rows; limit_exceeded for more than
/// 65,536 buffers.
Result<ArrayLayout> lay_out_array(std::string_view array, std::uint64_t rows, Format format,
                                  const Placement& placement, const Limits& limits);

/// The plan of one scan over arrays of its own: imports "input" and "output", or "data" where it is
/// in place, and "flags" where it has segments, each laid out by lay_out_array, "carry_in" and
/// "carry_out" where they are asked for; in this order.
/// Errors: as lay_out_array, Graph::add and Graph::compile; a scan in place whose output is
/// placed otherwise than its input.
Result<Plan> plan_scan(std::uint64_t rows, const ScanOptions& options,
                       const DeviceProfile& profile);

/// The same of sums of numbers in two arrays: imports "input_low", "input_high", "output_low" and
/// "output_high".
Result<Plan> plan_scan_u64(std::uint64_t rows, const ScanU64Options& options,
                           const DeviceProfile& profile);

/// The same of one reduction: imports "carry_in" where it has one, "input" and "output", the latter
/// one row, or one a segment; then "flags" and "number", or "offsets". Errors also: a carry of a
/// reduction by segments.
Result<Plan> plan_reduce(std::uint64_t rows, const ReduceOptions& options,
                         const DeviceProfile& profile);

}  // namespace wgprim
