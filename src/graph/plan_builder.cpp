// Collects an operation's passes and finishes the plan; see the header.
#include "graph/plan_builder.hpp"

#include <algorithm>
#include <functional>

#include "graph/dispatch_shape.hpp"
#include "graph/node_work.hpp"
#include "wgprim/detail/plan_rules.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

std::size_t hash_of(const PlanKernel& kernel) {
  std::size_t hash = 0;
  const auto add = [&](std::size_t part) {
    hash ^= part + std::size_t{0x9e3779b9} + (hash << 6) + (hash >> 2);
  };
  const std::hash<std::string> hash_text;
  add(hash_text(kernel.name));
  add(hash_text(kernel.wgsl));
  add(hash_text(kernel.entry_point));
  add(hash_text(kernel.operator_wgsl));
  for (const auto& [slot, fragment] : kernel.slots) {
    add(hash_text(slot));
    add(hash_text(fragment));
  }
  for (const auto& [constant, value] : kernel.constants) {
    add(hash_text(constant));
    add(value);
  }
  for (const KernelBinding& binding : kernel.bindings) {
    add(binding.binding);
    add(static_cast<std::size_t>(binding.access));
  }
  return hash;
}

Access access_of(const PlanKernel& kernel, std::uint32_t binding) {
  return std::ranges::lower_bound(kernel.bindings, binding, {}, &KernelBinding::binding)->access;
}

}  // namespace

BoundView bind_rows(std::uint32_t binding, const PlanView& view) {
  const std::uint64_t below = view.byte_offset % kBindingAlignment;
  return {.binding = {.binding = binding,
                      .buffer = view.buffer,
                      .offset = view.byte_offset - below,
                      .bytes = below + view.rows * view.row_bytes},
          .first_row = static_cast<std::uint32_t>(below / view.row_bytes),
          .first_word = static_cast<std::uint32_t>(below / 4)};
}

std::uint32_t PlanBuilder::add_buffer(std::string id, std::uint64_t bytes, BufferRole role) {
  buffer_ids_.insert(id);
  plan_.buffers.push_back({.id = std::move(id), .bytes = bytes, .usage = 0, .role = role});
  lifetimes_.emplace_back();
  return static_cast<std::uint32_t>(plan_.buffers.size() - 1);
}

void PlanBuilder::begin_node(PlanNode node) { plan_.nodes.push_back(std::move(node)); }

std::string PlanBuilder::scratch_id(std::string_view name) const {
  std::string id = concat(node().id, ".", name);
  while (buffer_ids_.contains(id))
    id += "'";
  return id;
}

std::uint32_t PlanBuilder::add_transient(std::string_view name, std::uint64_t bytes) {
  return add_buffer(scratch_id(name), bytes, BufferRole::transient);
}

std::uint32_t PlanBuilder::add_constant(std::string_view name, std::vector<std::uint32_t> words) {
  const std::uint32_t buffer = add_buffer(scratch_id(name), words.size() * 4, BufferRole::constant);
  plan_.buffers[buffer].words = std::move(words);
  return buffer;
}

std::uint32_t PlanBuilder::add_kernel(PlanKernel kernel) {
  const std::size_t hash = hash_of(kernel);
  const auto [first, last] = kernel_by_hash_.equal_range(hash);
  const auto known =
      std::find_if(first, last, [&](auto entry) { return plan_.kernels[entry.second] == kernel; });
  if (known != last) return known->second;
  const auto index = static_cast<std::uint32_t>(plan_.kernels.size());
  kernel_by_hash_.emplace(hash, index);
  plan_.kernels.push_back(std::move(kernel));
  return index;
}

Result<void> PlanBuilder::check_bindings(const PlanKernel& kernel,
                                         const PlanDispatch& dispatch) const {
  const Limits& limits = profile_.limits;
  const auto refuse = [&](const auto&... what) {
    return fail(ErrorCode::limit_exceeded, concat("Kernel '", kernel.name, "' of node '", node().id,
                                                  "' binds ", what..., ")."));
  };
  const auto [storage, uniform] = count_bindings(kernel);
  if (storage > limits.max_storage_buffers_per_shader_stage) {
    return refuse(storage, " buffers, more than the device allows (",
                  limits.max_storage_buffers_per_shader_stage, ", maxStorageBuffersPerShaderStage");
  }
  if (uniform > limits.max_uniform_buffers_per_shader_stage) {
    return refuse(uniform, " uniform buffers, more than the device allows (",
                  limits.max_uniform_buffers_per_shader_stage, ", maxUniformBuffersPerShaderStage");
  }
  for (const PlanBinding& binding : dispatch.bindings) {
    const bool is_in_storage = is_storage(access_of(kernel, binding.binding));
    const std::uint64_t most = is_in_storage ? limits.max_storage_buffer_binding_size
                                             : limits.max_uniform_buffer_binding_size;
    if (binding.bytes <= most) continue;
    return refuse(binding.bytes, " bytes of buffer '", plan_.buffers[binding.buffer].id,
                  "', more than the device allows (", most, ", ",
                  is_in_storage ? "maxStorageBufferBindingSize" : "maxUniformBufferBindingSize");
  }
  return {};
}

Result<void> PlanBuilder::add_dispatch(PlanDispatch dispatch, std::uint64_t workgroup_width) {
  const PlanKernel& kernel = plan_.kernels[dispatch.kernel];
  if (auto ok = check_bindings(kernel, dispatch); !ok) return ok;
  dispatch.node = current_node();
  if (dispatch.label.empty()) dispatch.label = kernel.name;
  dispatch.workload.workgroups = workgroup_count(dispatch.shape);
  dispatch.workload.invocations = saturating_product(dispatch.workload.workgroups, workgroup_width);
  for (const PlanBinding& binding : dispatch.bindings) {
    const bool is_in_storage = is_storage(access_of(kernel, binding.binding));
    touch(binding.buffer, is_in_storage ? kUsageStorage : kUsageUniform);
    plan_.largest_binding_bytes = std::max(plan_.largest_binding_bytes, binding.bytes);
  }
  if (dispatch.indirect) touch(dispatch.indirect->buffer, kUsageIndirect);
  add_to(plan_.workload, dispatch.workload);
  const auto index = static_cast<std::uint32_t>(plan_.dispatches.size());
  plan_.dispatches.push_back(std::move(dispatch));
  if (plan_.passes.empty() || !std::holds_alternative<PlanComputePass>(plan_.passes.back())) {
    plan_.passes.emplace_back(PlanComputePass{index, index});
  }
  std::get<PlanComputePass>(plan_.passes.back()).end = index + 1;
  ++command_;
  return {};
}

void PlanBuilder::add_copy(PlanCopy copy) {
  copy.node = current_node();
  touch(copy.source, kUsageCopySource);
  touch(copy.destination, kUsageCopyDestination);
  add_to(plan_.workload, {.bytes_read = copy.bytes, .bytes_written = copy.bytes});
  plan_.passes.emplace_back(copy);
  ++command_;
}

void PlanBuilder::add_clear(PlanClear clear) {
  clear.node = current_node();
  touch(clear.buffer, kUsageCopyDestination);
  add_to(plan_.workload, {.bytes_written = clear.bytes});
  plan_.passes.emplace_back(clear);
  ++command_;
}

void PlanBuilder::add_external(PlanExternal external) {
  external.node = current_node();
  for (const PlanExternalUse& use : external.uses)
    touch(use.buffer, use.usage);
  plan_.passes.emplace_back(std::move(external));
  ++command_;
}

void PlanBuilder::touch(std::uint32_t buffer, std::uint32_t usage) {
  if (plan_.buffers[buffer].role == BufferRole::transient) usage |= kUsageStorage;
  plan_.buffers[buffer].usage |= usage;
  auto& lifetime = lifetimes_[buffer];
  if (!lifetime) lifetime = {.first = command_, .bytes = plan_.buffers[buffer].bytes};
  lifetime->last = command_;
  lifetime->usage |= usage;
}

Plan PlanBuilder::finish() {
  place_transients();
  return std::move(plan_);
}

void PlanBuilder::place_transients() {
  std::vector<Lifetime> lifetimes;
  std::vector<std::uint32_t> placed;  // Buffers, parallel to the lifetimes.
  for (std::uint32_t buffer = 0; buffer < plan_.buffers.size(); ++buffer) {
    if (plan_.buffers[buffer].role != BufferRole::transient || !lifetimes_[buffer]) continue;
    lifetimes.push_back(*lifetimes_[buffer]);
    placed.push_back(buffer);
  }
  SlotAssignment assignment = assign_slots(lifetimes);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    plan_.buffers[placed[i]].slot = assignment.slot_of[i];
    plan_.scratch_bytes_without_reuse += lifetimes[i].bytes;
  }
  plan_.slots = std::move(assignment.slots);
  for (const PlanSlot& slot : plan_.slots)
    plan_.scratch_bytes += slot.bytes;
}

}  // namespace wgprim
