// Where operations put their passes. `finish` turns what was collected into a Plan: lifetimes to
// slots, consecutive dispatches to compute passes, totals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "wgprim/limits.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Packed rows of 4 bytes in one buffer of the plan under construction.
struct PlanView {
  std::uint32_t buffer = 0;
  std::uint64_t byte_offset = 0;
  std::uint64_t rows = 0;
  bool operator==(const PlanView&) const = default;
};

/// How a view is bound although bound offsets must be multiples of 256: the binding starts at or
/// below the view, `first_row` says how many rows below.
struct BoundView {
  PlanBinding binding;
  std::uint32_t first_row = 0;
};

BoundView bind_rows(std::uint32_t binding, const PlanView& view);

class PlanBuilder {
 public:
  explicit PlanBuilder(const DeviceProfile& profile) : profile_(profile) {}

  const DeviceProfile& profile() const { return profile_; }

  /// Starts a node; everything added until the next call belongs to it.
  void begin_node(std::string id, std::string operation);
  PlanNode& node() { return plan_.nodes.back(); }

  /// Indices of Plan::buffers. A transient is called "NODE.NAME", and gets a prime where another
  /// buffer has that id already.
  std::uint32_t add_import(std::string id, std::uint64_t bytes);
  std::uint32_t add_transient(std::string_view name, std::uint64_t bytes);

  /// Equal kernels share an index of Plan::kernels.
  std::uint32_t add_kernel(PlanKernel kernel);

  /// Adds a dispatch of the current node; fills in node, label and launched counts.
  /// Errors: more storage buffers, or a larger binding, than the device allows.
  Result<void> add_dispatch(PlanDispatch dispatch, std::uint32_t workgroup_width);

  /// The plan; the builder is spent.
  Plan finish();

 private:
  std::uint32_t add_buffer(std::string id, std::uint64_t bytes, BufferRole role);
  void merge_usage();
  void place_transients();

  DeviceProfile profile_;
  Plan plan_;
  std::unordered_set<std::string> buffer_ids_;
};

}  // namespace wgprim
