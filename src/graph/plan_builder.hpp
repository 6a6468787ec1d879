// Where operations put their passes. `finish` turns what was collected into a Plan: lifetimes to
// slots, totals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/slots.hpp"
#include "wgprim/limits.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Packed rows in one buffer of the plan under construction.
struct PlanView {
  std::uint32_t buffer = 0;
  std::uint64_t byte_offset = 0;
  std::uint64_t rows = 0;
  std::uint32_t row_bytes = 4;
  bool operator==(const PlanView&) const = default;
};

/// How a view is bound although bound offsets must be multiples of 256: the binding starts at or
/// below the view, `first_row` says how many rows of it would fit between (all of them, where 256
/// is a multiple of the rows' bytes), `first_word` how many words there are.
struct BoundView {
  PlanBinding binding;
  std::uint32_t first_row = 0;
  std::uint32_t first_word = 0;
};

BoundView bind_rows(std::uint32_t binding, const PlanView& view);

class PlanBuilder {
 public:
  explicit PlanBuilder(const DeviceProfile& profile) : profile_(profile) {}

  const DeviceProfile& profile() const { return profile_; }

  /// Declares a buffer of the graph; comes before all nodes. Returns its index in Plan::buffers.
  std::uint32_t add_buffer(std::string id, std::uint64_t bytes, BufferRole role);

  /// Starts a node; everything added until the next call belongs to it.
  void begin_node(PlanNode node);
  PlanNode& node() { return plan_.nodes.back(); }
  const PlanNode& node() const { return plan_.nodes.back(); }
  std::uint64_t buffer_bytes(std::uint32_t buffer) const { return plan_.buffers[buffer].bytes; }

  /// Scratch of the current node, called "NODE.NAME", with a prime where another buffer has that
  /// id.
  std::uint32_t add_transient(std::string_view name, std::uint64_t bytes);

  /// Words that the plan carries, for the current node; called like a transient.
  std::uint32_t add_constant(std::string_view name, std::vector<std::uint32_t> words);

  /// Equal kernels share an index of Plan::kernels.
  std::uint32_t add_kernel(PlanKernel kernel);

  /// Adds a dispatch of the current node; fills in node and launched counts, and a label where
  /// there is none. Dispatches that follow each other share a compute pass.
  /// Errors: more storage buffers, or a larger binding, than the device allows.
  Result<void> add_dispatch(PlanDispatch dispatch, std::uint64_t workgroup_width);

  /// Adds a command of the current node, which closes a compute pass; fills in the node.
  void add_copy(PlanCopy copy);
  void add_clear(PlanClear clear);
  void add_external(PlanExternal external);

  /// The plan; the builder is spent.
  Plan finish();

 private:
  std::string scratch_id(std::string_view name) const;
  Result<void> check_bindings(const PlanKernel& kernel, const PlanDispatch& dispatch) const;
  std::uint32_t current_node() const { return static_cast<std::uint32_t>(plan_.nodes.size() - 1); }
  /// The present command uses the buffer so.
  void touch(std::uint32_t buffer, std::uint32_t usage);
  void place_transients();

  DeviceProfile profile_;
  Plan plan_;
  std::unordered_set<std::string> buffer_ids_;
  std::unordered_multimap<std::size_t, std::uint32_t> kernel_by_hash_;
  std::vector<std::optional<Lifetime>> lifetimes_;  ///< By buffer, in commands.
  std::uint32_t command_ = 0;                       ///< The present one.
};

}  // namespace wgprim
