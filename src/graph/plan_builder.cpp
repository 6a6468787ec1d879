// Collects an operation's passes and finishes the plan; see the header.
#include "graph/plan_builder.hpp"

#include <algorithm>

#include "graph/dispatch_shape.hpp"
#include "graph/slots.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {

BoundView bind_rows(std::uint32_t binding, const PlanView& view) {
  const std::uint64_t below = view.byte_offset % kBindingAlignment;
  return {.binding = {.binding = binding,
                      .buffer = view.buffer,
                      .offset = view.byte_offset - below,
                      .bytes = below + view.rows * 4},
          .first_row = static_cast<std::uint32_t>(below / 4)};
}

void PlanBuilder::begin_node(std::string id, std::string operation) {
  plan_.nodes.push_back({.id = std::move(id), .operation = std::move(operation)});
}

std::uint32_t PlanBuilder::add_import(std::string id, std::uint64_t bytes) {
  return add_buffer(std::move(id), bytes, BufferRole::imported);
}

std::uint32_t PlanBuilder::add_transient(std::string_view name, std::uint64_t bytes) {
  std::string id = concat(node().id, ".", name);
  while (buffer_ids_.contains(id))
    id += "'";
  return add_buffer(std::move(id), bytes, BufferRole::transient);
}

std::uint32_t PlanBuilder::add_buffer(std::string id, std::uint64_t bytes, BufferRole role) {
  buffer_ids_.insert(id);
  plan_.buffers.push_back({.id = std::move(id), .bytes = bytes, .usage = 0, .role = role});
  return static_cast<std::uint32_t>(plan_.buffers.size() - 1);
}

std::uint32_t PlanBuilder::add_kernel(PlanKernel kernel) {
  const auto known = std::ranges::find(plan_.kernels, kernel);
  const auto index = static_cast<std::uint32_t>(known - plan_.kernels.begin());
  if (known == plan_.kernels.end()) plan_.kernels.push_back(std::move(kernel));
  return index;
}

Result<void> PlanBuilder::add_dispatch(PlanDispatch dispatch, std::uint32_t workgroup_width) {
  const PlanKernel& kernel = plan_.kernels[dispatch.kernel];
  const Limits& limits = profile_.limits;
  const std::string who = concat("Kernel '", kernel.name, "' of node '", node().id, "' binds ");
  if (dispatch.bindings.size() > limits.max_storage_buffers_per_shader_stage) {
    return fail(
        ErrorCode::limit_exceeded,
        concat(who, dispatch.bindings.size(), " buffers, more than the device allows (",
               limits.max_storage_buffers_per_shader_stage, ", maxStorageBuffersPerShaderStage)."));
  }
  for (const PlanBinding& binding : dispatch.bindings) {
    if (binding.bytes <= limits.max_storage_buffer_binding_size) continue;
    return fail(ErrorCode::limit_exceeded,
                concat(who, binding.bytes, " bytes of buffer '", plan_.buffers[binding.buffer].id,
                       "', more than the device allows (", limits.max_storage_buffer_binding_size,
                       ", maxStorageBufferBindingSize)."));
  }
  dispatch.node = static_cast<std::uint32_t>(plan_.nodes.size() - 1);
  dispatch.label = kernel.name;
  dispatch.workload.workgroups = workgroup_count(dispatch.shape);
  dispatch.workload.invocations = dispatch.workload.workgroups * workgroup_width;
  plan_.dispatches.push_back(std::move(dispatch));
  return {};
}

Plan PlanBuilder::finish() {
  merge_usage();
  place_transients();
  if (!plan_.dispatches.empty()) {
    plan_.passes.emplace_back(
        PlanComputePass{0, static_cast<std::uint32_t>(plan_.dispatches.size())});
  }
  for (const PlanDispatch& dispatch : plan_.dispatches) {
    plan_.workload.workgroups += dispatch.workload.workgroups;
    plan_.workload.invocations += dispatch.workload.invocations;
    plan_.workload.bytes_read += dispatch.workload.bytes_read;
    plan_.workload.bytes_written += dispatch.workload.bytes_written;
    for (const PlanBinding& binding : dispatch.bindings) {
      plan_.largest_binding_bytes = std::max(plan_.largest_binding_bytes, binding.bytes);
    }
  }
  return std::move(plan_);
}

void PlanBuilder::merge_usage() {
  for (const PlanDispatch& dispatch : plan_.dispatches) {
    for (const PlanBinding& binding : dispatch.bindings) {
      plan_.buffers[binding.buffer].usage |= kUsageStorage;
    }
  }
}

void PlanBuilder::place_transients() {
  std::vector<Lifetime> lifetimes;
  std::vector<std::optional<std::uint32_t>> lifetime_of(plan_.buffers.size());
  for (std::uint32_t index = 0; index < plan_.dispatches.size(); ++index) {
    for (const PlanBinding& binding : plan_.dispatches[index].bindings) {
      const PlanBuffer& buffer = plan_.buffers[binding.buffer];
      if (buffer.role != BufferRole::transient) continue;
      auto& place = lifetime_of[binding.buffer];
      if (!place) {
        place = static_cast<std::uint32_t>(lifetimes.size());
        lifetimes.push_back({index, index, buffer.bytes, buffer.usage});
      }
      lifetimes[*place].last = index;
    }
  }
  SlotAssignment assignment = assign_slots(lifetimes);
  for (std::size_t buffer = 0; buffer < lifetime_of.size(); ++buffer) {
    if (!lifetime_of[buffer]) continue;
    plan_.buffers[buffer].slot = assignment.slot_of[*lifetime_of[buffer]];
    plan_.scratch_bytes_without_reuse += plan_.buffers[buffer].bytes;
  }
  plan_.slots = std::move(assignment.slots);
  for (const PlanSlot& slot : plan_.slots)
    plan_.scratch_bytes += slot.bytes;
}

}  // namespace wgprim
