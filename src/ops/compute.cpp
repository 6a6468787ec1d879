// The user's own kernels: what a description may say, and its one dispatch.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "kernels/read_entry_point.hpp"
#include "ops/operations.hpp"
#include "wgprim/detail/plan_rules.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// A binding holds a word at least; a view without rows gets the last one that it could start at.
ByteRange bound_range(const DataView& view, std::uint64_t buffer_bytes) {
  ByteRange range = byte_range(view);
  if (view.rows == 0) range.begin = std::min(range.begin, (buffer_bytes - 4) / 4 * 4);
  range.begin -= range.begin % kBindingAlignment;
  range.end = std::max(range.begin + 4, (range.end + 3) / 4 * 4);
  return range;
}

Result<void> check_use(const Graph::State& graph, const Compute& compute, const ComputeUse& use) {
  const std::string what = concat("Binding ", use.binding, " of node '", compute.id, "'");
  if (auto ok = check_views(graph, what, use.view); !ok) return ok;
  const bool is_bindable = use.access == Use::storage_read || use.access == Use::storage_write ||
                           use.access == Use::storage_read_write || use.access == Use::uniform;
  if (!is_bindable) {
    return fail(ErrorCode::invalid_argument,
                concat(what, " is used as ", to_string(use.access),
                       "; a kernel binds storage-read, storage-write, storage-read-write or "
                       "uniform."));
  }
  if (use.binding > kMaxBindingNumber) {
    return fail(ErrorCode::invalid_argument,
                concat(what, " is above the highest binding number (", kMaxBindingNumber, ")."));
  }
  if (use.view.rows > 0 && use.view.byte_offset % kBindingAlignment != 0) {
    return fail(ErrorCode::invalid_view,
                concat(what, " starts at byte ", use.view.byte_offset, " of buffer '",
                       graph.buffer(use.view.buffer).id, "', which is not a multiple of ",
                       kBindingAlignment, ", as bindings need it; bind a view that starts at byte ",
                       use.view.byte_offset / kBindingAlignment * kBindingAlignment,
                       " and add the rest within the kernel."));
  }
  const GraphBuffer& buffer = graph.buffer(use.view.buffer);
  if (buffer.bytes >= 4) return {};
  return fail(ErrorCode::invalid_view, concat(what, " lies in buffer '", buffer.id, "' of ",
                                              buffer.bytes, " bytes, less than a word."));
}

Result<void> check_indirect(const Graph::State& graph, const Compute& compute) {
  if (!compute.indirect) return {};
  const auto& [view, byte_offset] = *compute.indirect;
  const std::string what = concat("The workgroup record of node '", compute.id, "'");
  if (auto ok = check_views(graph, what, view); !ok) return ok;
  const ByteRange range = byte_range(view);
  const std::uint64_t held = range.end - range.begin;
  if (byte_offset % 4 != 0) {
    return fail(ErrorCode::invalid_view, concat(what, " starts at byte ", byte_offset,
                                                " of its view, which is not a multiple of 4."));
  }
  if (held >= kIndirectRecordBytes && byte_offset <= held - kIndirectRecordBytes) return {};
  return fail(ErrorCode::invalid_view,
              concat(what, " takes ", kIndirectRecordBytes, " bytes from byte ", byte_offset,
                     " of its view on, which holds ", held, "."));
}

/// A use of a buffer within the dispatch, as WebGPU sees it.
struct Reach {
  std::uint32_t buffer;
  ByteRange range;
  Use use;
  std::string name;  ///< In messages.
};

/// WebGPU looks at whole buffers, but for writes, which may lie side by side.
bool conflicts(const Reach& a, const Reach& b) {
  if (a.buffer != b.buffer || (!writes(a.use) && !writes(b.use))) return false;
  const bool are_disjoint = a.range.end <= b.range.begin || b.range.end <= a.range.begin;
  return !writes(a.use) || !writes(b.use) || !are_disjoint;
}

Result<void> check_conflicts(const Graph::State& graph, const Compute& compute) {
  std::vector<Reach> reaches;
  for (const ComputeUse& use : compute.uses) {
    reaches.push_back({use.view.buffer.index,
                       bound_range(use.view, graph.buffer(use.view.buffer).bytes), use.access,
                       concat("binding ", use.binding)});
  }
  if (compute.indirect) {
    reaches.push_back({compute.indirect->view.buffer.index, byte_range(compute.indirect->view),
                       Use::indirect, "the workgroup record"});
  }
  std::ranges::stable_sort(reaches, {}, &Reach::buffer);
  for (auto a = reaches.begin(); a != reaches.end(); ++a) {
    for (auto b = a + 1; b != reaches.end() && b->buffer == a->buffer; ++b) {
      if (!conflicts(*a, *b)) continue;
      return fail(
          ErrorCode::aliasing,
          concat("Node '", compute.id, "' uses buffer '", graph.buffers[a->buffer].id, "' as ",
                 to_string(a->use), " by ", a->name, " and as ", to_string(b->use), " by ", b->name,
                 writes(a->use) && writes(b->use)
                     ? concat("; the ranges bound, which start at multiples of ", kBindingAlignment,
                              " bytes, overlap.")
                     : "; one dispatch cannot do both, whatever the ranges."));
    }
  }
  return {};
}

Result<void> check_bindings(const Graph::State& graph, const Compute& compute) {
  for (const ComputeUse& use : compute.uses) {
    if (auto ok = check_use(graph, compute, use); !ok) return ok;
  }
  const auto twice = std::ranges::adjacent_find(compute.uses, {}, &ComputeUse::binding);
  if (twice == compute.uses.end()) return {};
  return fail(ErrorCode::invalid_argument,
              concat("Node '", compute.id, "' binds ", twice->binding, " twice."));
}

Access access_of(Use use) {
  if (use == Use::uniform) return Access::uniform;
  return writes(use) ? Access::storage_read_write : Access::storage_read;
}

std::uint64_t bytes_of_rows(const DataView& view) { return view.rows * row_bytes(view.format); }

Result<void> check_limits(const Compute& compute, const kernels::EntryPoint& entry_point,
                          const Limits& limits) {
  const auto& [x, y, z] = entry_point.workgroup_size;
  const std::uint64_t lanes = std::uint64_t{x} * y;
  const std::uint64_t most = std::ranges::max(compute.workgroups);
  for (const auto& [value, what, name, limit] :
       {std::tuple(most, "workgroups in one dimension", "maxComputeWorkgroupsPerDimension",
                   limits.max_compute_workgroups_per_dimension),
        {x, "lanes in x", "maxComputeWorkgroupSizeX", limits.max_compute_workgroup_size_x},
        {y, "lanes in y", "maxComputeWorkgroupSizeY", limits.max_compute_workgroup_size_y},
        {z, "lanes in z", "maxComputeWorkgroupSizeZ", limits.max_compute_workgroup_size_z},
        {lanes * z, "lanes a workgroup", "maxComputeInvocationsPerWorkgroup",
         limits.max_compute_invocations_per_workgroup}}) {
    if (value <= limit) continue;
    return fail(ErrorCode::limit_exceeded,
                concat("Node '", compute.id, "' asks for ", value, " ", what,
                       ", more than the device allows (", limit, ", ", name, ")."));
  }
  return {};
}

PlanDispatch dispatch_of(const Compute& compute, const PlanBuilder& builder) {
  PlanDispatch dispatch{.label = compute.id, .shape = compute.workgroups};
  for (const ComputeUse& use : compute.uses) {
    const std::uint32_t buffer = use.view.buffer.index;
    const ByteRange range = bound_range(use.view, builder.buffer_bytes(buffer));
    dispatch.bindings.push_back({.binding = use.binding,
                                 .buffer = buffer,
                                 .offset = range.begin,
                                 .bytes = range.end - range.begin});
    if (reads(use.access)) dispatch.workload.bytes_read += bytes_of_rows(use.view);
    if (writes(use.access)) dispatch.workload.bytes_written += bytes_of_rows(use.view);
  }
  if (compute.indirect) {
    const auto& [view, byte_offset] = *compute.indirect;
    dispatch.indirect = {view.buffer.index, view.byte_offset + byte_offset};
  }
  return dispatch;
}

}  // namespace

Result<void> Graph::add(Compute compute) {
  std::ranges::stable_sort(compute.uses, {}, &ComputeUse::binding);
  if (auto ok = check_bindings(*state_, compute); !ok) return ok;
  if (auto ok = check_indirect(*state_, compute); !ok) return ok;
  if (auto ok = check_conflicts(*state_, compute); !ok) return ok;
  const auto entry_point = kernels::read_entry_point(compute.wgsl, compute.entry_point);
  if (!entry_point) {
    return fail(entry_point.error().code,
                concat("Node '", compute.id, "': ", entry_point.error().message));
  }
  Node node{.id = compute.id, .operation = {}, .uses = {}};
  for (const ComputeUse& use : compute.uses)
    node.uses.push_back({use.view.buffer.index, use.access});
  if (compute.indirect) node.uses.push_back({compute.indirect->view.buffer.index, Use::indirect});
  node.operation = std::move(compute);
  return state_->append(std::move(node));
}

Result<void> lower(const Compute& compute, PlanBuilder& builder) {
  const auto entry_point = kernels::read_entry_point(compute.wgsl, compute.entry_point);
  if (!entry_point) return pass_on(entry_point);
  const Capabilities& capabilities = builder.profile().capabilities;
  if (entry_point->uses_subgroups && !capabilities.subgroups) {
    return fail(ErrorCode::unsupported, concat("Node '", compute.id,
                                               "' enables subgroups, which the device does not "
                                               "offer."));
  }
  if (auto ok = check_limits(compute, *entry_point, builder.profile().limits); !ok) return ok;
  builder.node().uses_subgroups = entry_point->uses_subgroups;
  PlanKernel kernel{.name = entry_point->name,
                    .uses_subgroups = entry_point->uses_subgroups,
                    .wgsl = compute.wgsl,
                    .entry_point = entry_point->name};
  for (const ComputeUse& use : compute.uses)
    kernel.bindings.push_back({use.binding, access_of(use.access)});
  PlanDispatch dispatch = dispatch_of(compute, builder);
  dispatch.kernel = builder.add_kernel(std::move(kernel));
  const auto& [x, y, z] = entry_point->workgroup_size;
  return builder.add_dispatch(std::move(dispatch), std::uint64_t{x} * y * z);
}

}  // namespace wgprim
