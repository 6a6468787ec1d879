// Holds a plan against limits: buffers, bindings, kernels, shapes. Called before a plan goes to a
// device other than the one it was made for, and by `wgprim plan`.
#include <algorithm>
#include <array>

#include "graph/node_work.hpp"
#include "graph/plan_commands.hpp"
#include "kernels/assemble.hpp"
#include "wgprim/detail/plan_rules.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/report.hpp"

namespace wgprim {
namespace {

using Limit = std::uint64_t Limits::*;

/// Keeps the worst offender of each limit.
class Offenders {
 public:
  explicit Offenders(const Limits& limits) : limits_(limits), worst_(limit_names().size()) {}

  /// `what` makes the offender's name; called only where it is the worst so far.
  template <class What>
  void hold(Limit limit, std::uint64_t needed, What what) {
    if (needed <= limits_.*limit) return;
    const auto& names = limit_names();
    const auto at = std::ranges::find(names, limit, &LimitName::member) - names.begin();
    ExceededLimit& worst = worst_[static_cast<std::size_t>(at)];
    if (needed <= worst.needed) return;
    worst = {std::string(names[static_cast<std::size_t>(at)].name), limits_.*limit, needed, what()};
  }

  std::vector<ExceededLimit> take() {
    std::erase_if(worst_, [](const ExceededLimit& limit) { return limit.limit.empty(); });
    return std::move(worst_);
  }

 private:
  const Limits& limits_;
  std::vector<ExceededLimit> worst_;  // By limit; those kept have no name.
};

void check_buffers(const Plan& plan, Preflight& result, Offenders& offenders) {
  const auto check = [&](std::uint64_t bytes, auto what) {
    result.largest_buffer_bytes = std::max(result.largest_buffer_bytes, bytes);
    offenders.hold(&Limits::max_buffer_size, bytes, what);
  };
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::transient) continue;  // Its memory is its slot's.
    check(buffer.bytes, [&] { return concat("buffer '", buffer.id, "'"); });
  }
  for (std::size_t slot = 0; slot < plan.slots.size(); ++slot)
    check(plan.slots[slot].bytes, [&] { return concat("slot ", slot); });
}

void check_kernel(const PlanKernel& kernel, Offenders& offenders) {
  const auto what = [&] { return concat("kernel '", kernel.name, "'"); };
  const auto [storage, uniform] = count_bindings(kernel);
  offenders.hold(&Limits::max_storage_buffers_per_shader_stage, storage, what);
  offenders.hold(&Limits::max_uniform_buffers_per_shader_stage, uniform, what);
  const auto needs = kernels::needs_of(kernel);
  if (!needs) return;  // A kernel that is none: Executable::create refuses it.
  const auto [x, y, z] = needs->workgroup_size;
  offenders.hold(&Limits::max_compute_invocations_per_workgroup, x * y * z, what);
  offenders.hold(&Limits::max_compute_workgroup_size_x, x, what);
  offenders.hold(&Limits::max_compute_workgroup_size_y, y, what);
  offenders.hold(&Limits::max_compute_workgroup_size_z, z, what);
  offenders.hold(&Limits::max_compute_workgroup_storage_size, needs->workgroup_bytes, what);
}

/// Where a binding counts, or nothing for one that the kernel does not have.
Limit limit_of(const PlanKernel& kernel, std::uint32_t binding) {
  const auto at = std::ranges::lower_bound(kernel.bindings, binding, {}, &KernelBinding::binding);
  if (at == kernel.bindings.end() || at->binding != binding) return nullptr;
  return at->access == Access::uniform ? &Limits::max_uniform_buffer_binding_size
                                       : &Limits::max_storage_buffer_binding_size;
}

void check_dispatch(const Plan& plan, std::size_t index, Preflight& result, Offenders& offenders) {
  const PlanDispatch& dispatch = plan.dispatches[index];
  const auto what = [&] {
    return concat("dispatch ", index, " of node '", plan.nodes[dispatch.node].id, "'");
  };
  for (const PlanBinding& binding : dispatch.bindings) {
    result.largest_binding_bytes = std::max(result.largest_binding_bytes, binding.bytes);
    const Limit limit = limit_of(plan.kernels[dispatch.kernel], binding.binding);
    if (limit != nullptr) offenders.hold(limit, binding.bytes, what);
  }
  offenders.hold(&Limits::max_uniform_buffer_binding_size, dispatch.parameters.size() * 4, what);
  if (dispatch.indirect) return;  // The device reads the counts; too many run nothing.
  offenders.hold(&Limits::max_compute_workgroups_per_dimension, std::ranges::max(dispatch.shape),
                 what);
}

}  // namespace

Preflight preflight(const Plan& plan, const Limits& limits) {
  Preflight result;
  result.nodes = node_work(plan);
  for (const NodeWork& node : result.nodes)
    add_to(result.total, node);
  Offenders offenders(limits);
  check_buffers(plan, result, offenders);
  for (const PlanKernel& kernel : plan.kernels)
    check_kernel(kernel, offenders);
  for (std::size_t index = 0; index < plan.dispatches.size(); ++index)
    check_dispatch(plan, index, result, offenders);
  result.exceeded = offenders.take();
  return result;
}

}  // namespace wgprim
