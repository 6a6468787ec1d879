// Checks the dispatches of a plan: bindings against the kernel, ranges, shapes, and that no
// dispatch reads and writes one piece of memory (WebGPU validates usage buffer by buffer, not by
// range).
#include <algorithm>
#include <vector>

#include "native/plan_check.hpp"
#include "wgprim/view.hpp"

namespace wgprim::native {
namespace {

/// One use of memory by a dispatch.
struct Use {
  std::uint64_t memory;
  std::uint64_t offset;
  std::uint64_t bytes;
  bool is_write;
  std::uint32_t buffer;
};

std::unexpected<Error> beyond(std::string_view what, std::string_view quantity, std::uint64_t value,
                              std::string_view limit, std::uint64_t most) {
  return fail(ErrorCode::limit_exceeded,
              concat("In the plan ", what, " has ", quantity, " ", value,
                     ", more than the device's limit ", limit, " (", most, ")."));
}

Result<void> check_binding(const Plan& plan, std::string_view what, const PlanBinding& binding,
                           Access access, const Limits& limits) {
  const bool is_in_storage = is_storage(access);
  const auto checked = check_range(plan, what, binding.buffer, binding.offset, binding.bytes,
                                   is_in_storage ? kUsageStorage : kUsageUniform);
  if (!checked) return checked;
  if (binding.offset % kBindingAlignment != 0 || binding.bytes % 4 != 0) {
    return contradiction(what, " binds ", binding.bytes, " bytes at offset ", binding.offset,
                         ", which is not whole words from a multiple of ", kBindingAlignment);
  }
  const std::uint64_t most = is_in_storage ? limits.max_storage_buffer_binding_size
                                           : limits.max_uniform_buffer_binding_size;
  if (binding.bytes <= most) return {};
  return beyond(what, "a binding of bytes", binding.bytes,
                is_in_storage ? "maxStorageBufferBindingSize" : "maxUniformBufferBindingSize",
                most);
}

/// Fills `uses`. Bindings come in the kernel's order, `parameters` left out.
Result<void> check_bindings(const Plan& plan, std::string_view what, const PlanDispatch& dispatch,
                            const Limits& limits, std::vector<Use>& uses) {
  const PlanKernel& kernel = plan.kernels[dispatch.kernel];
  auto next = dispatch.bindings.begin();
  bool has_parameters = false;
  for (const KernelBinding& declared : kernel.bindings) {
    if (declared.access == Access::parameters) {
      has_parameters = true;
      continue;
    }
    if (next == dispatch.bindings.end() || next->binding != declared.binding) {
      return contradiction(what, " does not bind ", declared.binding, " of kernel '", kernel.name,
                           "' in its place");
    }
    const auto checked = check_binding(plan, what, *next, declared.access, limits);
    if (!checked) return checked;
    uses.push_back({memory_of(plan, next->buffer), next->offset, next->bytes,
                    declared.access == Access::storage_read_write, next->buffer});
    ++next;
  }
  if (next != dispatch.bindings.end()) {
    return contradiction(what, " binds ", next->binding, ", which kernel '", kernel.name,
                         "' lacks");
  }
  if (has_parameters == dispatch.parameters.empty()) {
    return contradiction(what, " has ", dispatch.parameters.size(), " parameter words for kernel '",
                         kernel.name, "'");
  }
  const std::uint64_t bytes = 4 * std::uint64_t{dispatch.parameters.size()};
  if (bytes <= limits.max_uniform_buffer_binding_size) return {};
  return beyond(what, "parameter bytes", bytes, "maxUniformBufferBindingSize",
                limits.max_uniform_buffer_binding_size);
}

bool intersect(const Use& a, const Use& b) {
  return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

Result<void> check_conflicts(const Plan& plan, std::string_view what,
                             const std::vector<Use>& uses) {
  for (auto a = uses.begin(); a != uses.end(); ++a) {
    for (auto b = a + 1; b != uses.end(); ++b) {
      if (a->memory != b->memory || (!a->is_write && !b->is_write)) continue;
      if (a->is_write && b->is_write && !intersect(*a, *b)) continue;
      return fail(ErrorCode::aliasing,
                  concat("In the plan ", what, " uses '", plan.buffers[a->buffer].id, "' and '",
                         plan.buffers[b->buffer].id, "', which are the same memory, and ",
                         a->is_write && b->is_write ? "writes overlapping ranges of it."
                                                    : "both reads and writes it."));
    }
  }
  return {};
}

Result<void> check_shape(const Plan& plan, std::string_view what, const PlanDispatch& dispatch,
                         const Limits& limits, std::vector<Use>& uses) {
  const std::uint64_t most = limits.max_compute_workgroups_per_dimension;
  for (const std::uint32_t groups : dispatch.shape) {
    if (groups > most) {
      return beyond(what, "workgroups", groups, "maxComputeWorkgroupsPerDimension", most);
    }
  }
  if (!dispatch.indirect) return {};
  const IndirectShape& record = *dispatch.indirect;
  const auto checked =
      check_range(plan, what, record.buffer, record.offset, kIndirectRecordBytes, kUsageIndirect);
  if (!checked) return checked;
  if (record.offset % 4 != 0) {
    return contradiction(what, " reads its workgroup counts at offset ", record.offset);
  }
  uses.push_back(
      {memory_of(plan, record.buffer), record.offset, kIndirectRecordBytes, false, record.buffer});
  return {};
}

/// Whether a dispatch can follow row counts, from none to all that its shape launches.
Result<void> check_extent(const Plan& plan, std::string_view what, const PlanDispatch& dispatch) {
  if (!dispatch.extent) return {};
  const PlanExtent& extent = *dispatch.extent;
  if (!plan.nodes[dispatch.node].row_capacity) {
    return contradiction(what, " follows a row count, which node '", plan.nodes[dispatch.node].id,
                         "' does not take");
  }
  if (dispatch.indirect || dispatch.parameters.size() < 2) {
    return contradiction(what, " follows a row count with ", dispatch.parameters.size(),
                         " parameter words and ",
                         dispatch.indirect ? "an indirect shape" : "a shape");
  }
  if (extent.rows_per_item == 0 || extent.items_per_workgroup == 0) {
    return contradiction(what, " has items of ", extent.rows_per_item, " rows, ",
                         extent.items_per_workgroup, " a workgroup");
  }
  if (extent.items == 0) return {};
  const std::uint64_t groups = (extent.items - 1) / extent.items_per_workgroup + 1;
  const auto [x, y, z] = dispatch.shape;
  const std::uint64_t plane = std::uint64_t{x} * y;  // Then held against z without overflow.
  const bool is_launched = plane != 0 && (groups - 1) / plane < z;
  if (extent.items > kMaxRows || !is_launched) {
    return contradiction(what, " has ", extent.items, " items in ", groups,
                         " workgroups, more than its shape launches");
  }
  return {};
}

Result<void> check_dispatch(const Plan& plan, std::size_t index, const Limits& limits,
                            std::vector<Use>& uses) {
  const PlanDispatch& dispatch = plan.dispatches[index];
  const std::string what = concat("dispatch ", index, " '", dispatch.label, "'");
  if (dispatch.node >= plan.nodes.size() || dispatch.kernel >= plan.kernels.size()) {
    return contradiction(what, " has node ", dispatch.node, " and kernel ", dispatch.kernel);
  }
  uses.clear();
  auto checked = check_bindings(plan, what, dispatch, limits, uses);
  if (checked) checked = check_shape(plan, what, dispatch, limits, uses);
  if (checked) checked = check_extent(plan, what, dispatch);
  return checked ? check_conflicts(plan, what, uses) : checked;
}

}  // namespace

Result<void> check_dispatches(const Plan& plan, const Limits& limits) {
  std::vector<Use> uses;
  for (std::size_t i = 0; i < plan.dispatches.size(); ++i) {
    if (const auto checked = check_dispatch(plan, i, limits, uses); !checked) return checked;
  }
  return {};
}

}  // namespace wgprim::native
