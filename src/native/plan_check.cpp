// Checks buffers, slots and kernels of a plan, and calls the checks of its other parts.
#include "native/plan_check.hpp"

#include <initializer_list>
#include <set>
#include <tuple>

#include "kernels/assemble.hpp"
#include "kernels/custom_operator.hpp"
#include "native/buffer_state.hpp"
#include "wgprim/detail/utf8.hpp"

namespace wgprim::native {
namespace {

Result<void> check_memory(std::string_view what, std::uint64_t bytes, std::uint32_t usage,
                          const Limits& limits) {
  if (bytes == 0) return contradiction(what, " is empty");
  if (usage == 0 || (usage & ~all_usages()) != 0) {
    return contradiction(what, " has usage ", usage, ", which is not a set of usage flags");
  }
  if (bytes > limits.max_buffer_size) {
    return fail(ErrorCode::limit_exceeded, concat("In the plan ", what, " needs ", bytes,
                                                  " bytes, more than the device's limit "
                                                  "maxBufferSize (",
                                                  limits.max_buffer_size, ")."));
  }
  return {};
}

Result<void> check_buffer(const Plan& plan, const PlanBuffer& buffer, const Limits& limits) {
  const std::string what = concat("buffer '", buffer.id, "'");
  if ((buffer.usage & ~all_usages()) != 0) {
    return contradiction(what, " has usage ", buffer.usage, ", which is not a set of usage flags");
  }
  if (buffer.slot && buffer.role != BufferRole::transient) {
    return contradiction(what, " has a slot without being transient");
  }
  if (buffer.words.size() * 4 != (buffer.role == BufferRole::constant ? buffer.bytes : 0)) {
    return contradiction(what, " (", to_string(buffer.role), ", ", buffer.bytes, " bytes) has ",
                         buffer.words.size(), " words of contents");
  }
  if (buffer.role == BufferRole::state || buffer.role == BufferRole::constant) {
    return check_memory(what, buffer.bytes, buffer.usage, limits);
  }
  if (!buffer.slot) return {};
  if (*buffer.slot >= plan.slots.size()) return contradiction(what, " has slot ", *buffer.slot);
  const PlanSlot& slot = plan.slots[*buffer.slot];
  if (slot.bytes < buffer.bytes || (buffer.usage & ~slot.usage) != 0) {
    return contradiction(what, " does not fit slot ", *buffer.slot);
  }
  return {};
}

Result<void> check_buffers(const Plan& plan, const Limits& limits) {
  for (std::size_t i = 0; i < plan.slots.size(); ++i) {
    const auto checked =
        check_memory(concat("slot ", i), plan.slots[i].bytes, plan.slots[i].usage, limits);
    if (!checked) return checked;
  }
  std::set<std::string_view> ids;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (const auto checked = check_buffer(plan, buffer, limits); !checked) return checked;
    if (buffer.role == BufferRole::imported && !ids.insert(buffer.id).second) {
      return contradiction("two imported buffers are called '", buffer.id, "'");
    }
  }
  return {};
}

/// Compilers look at one variable of workgroup memory at a time, and not at all at a width that a
/// constant gives. A kernel's own WGSL tells its width; its workgroup memory goes unmeasured.
Result<void> check_workgroup(const PlanKernel& kernel, const Limits& limits) {
  const auto needs = kernels::needs_of(kernel);
  if (!needs) return pass_on(needs);
  const auto check = [&](std::uint64_t value, std::string_view what, std::string_view name,
                         std::uint64_t limit) -> Result<void> {
    if (value <= limit) return {};
    return fail(ErrorCode::limit_exceeded,
                concat("Kernel '", kernel.name, "' takes ", value, " ", what,
                       ", more than the device's limit ", name, " (", limit, ")."));
  };
  const auto [x, y, z] = needs->workgroup_size;
  for (const auto& [value, name, limit] :
       {std::tuple(x * y * z, "maxComputeInvocationsPerWorkgroup",
                   limits.max_compute_invocations_per_workgroup),
        {x, "maxComputeWorkgroupSizeX", limits.max_compute_workgroup_size_x},
        {y, "maxComputeWorkgroupSizeY", limits.max_compute_workgroup_size_y},
        {z, "maxComputeWorkgroupSizeZ", limits.max_compute_workgroup_size_z}}) {
    if (auto checked = check(value, "lanes", name, limit); !checked) return checked;
  }
  return check(needs->workgroup_bytes, "bytes of workgroup memory",
               "maxComputeWorkgroupStorageSize", limits.max_compute_workgroup_storage_size);
}

Result<void> check_binding_counts(const PlanKernel& kernel, const Limits& limits) {
  const auto [storage, uniform] = count_bindings(kernel);
  for (const auto& [count, kind, name, limit] :
       {std::tuple(storage, "storage", "maxStorageBuffersPerShaderStage",
                   limits.max_storage_buffers_per_shader_stage),
        {uniform, "uniform", "maxUniformBuffersPerShaderStage",
         limits.max_uniform_buffers_per_shader_stage}}) {
    if (count <= limit) continue;
    return fail(ErrorCode::limit_exceeded,
                concat("Kernel '", kernel.name, "' binds ", count, " ", kind,
                       " buffers, more than the device's limit ", name, " (", limit, ")."));
  }
  return {};
}

Result<void> check_kernel(const PlanKernel& kernel, const Limits& limits) {
  std::uint64_t parameters = 0;
  for (std::size_t i = 0; i < kernel.bindings.size(); ++i) {
    const KernelBinding& binding = kernel.bindings[i];
    if (binding.binding > kMaxBindingNumber ||
        (i > 0 && binding.binding <= kernel.bindings[i - 1].binding)) {
      return contradiction("kernel '", kernel.name, "' has binding ", binding.binding,
                           " out of order or above ", kMaxBindingNumber);
    }
    parameters += binding.access == Access::parameters ? 1 : 0;
  }
  if (parameters > 1) {
    return contradiction("kernel '", kernel.name, "' has ", parameters, " bindings for parameters");
  }
  if (!kernel.operator_wgsl.empty()) {
    if (auto ok = kernels::check_operator(kernel.operator_wgsl); !ok) return ok;
  }
  const auto counted = check_binding_counts(kernel, limits);
  return counted ? check_workgroup(kernel, limits) : counted;
}

/// What reaches WebGPU, which wgpu-native takes on trust, and what messages and documents hold.
Result<void> check_texts(const Plan& plan) {
  const auto check = [](std::string_view what, std::size_t index,
                        std::initializer_list<std::string_view> texts) -> Result<void> {
    for (const std::string_view text : texts) {
      if (!find_invalid_utf8(text)) continue;
      return fail(ErrorCode::invalid_argument,
                  concat("In the plan a text of ", what, " ", index, " is not valid UTF-8."));
    }
    return {};
  };
  Result<void> checked;
  for (std::size_t i = 0; checked && i < plan.buffers.size(); ++i)
    checked = check("buffer", i, {plan.buffers[i].id});
  for (std::size_t i = 0; checked && i < plan.nodes.size(); ++i) {
    const PlanNode& node = plan.nodes[i];
    checked = check("node", i, {node.id, node.operation, node.path, node.reason, node.condition});
  }
  for (std::size_t i = 0; checked && i < plan.dispatches.size(); ++i)
    checked = check("dispatch", i, {plan.dispatches[i].label});
  for (std::size_t i = 0; checked && i < plan.kernels.size(); ++i) {
    const PlanKernel& kernel = plan.kernels[i];
    checked = check("kernel", i, {kernel.name, kernel.wgsl, kernel.entry_point});
    for (const auto& [slot, fragment] : kernel.slots)
      if (checked) checked = check("kernel", i, {slot, fragment});
    for (const auto& [constant, value] : kernel.constants)
      if (checked) checked = check("kernel", i, {constant});
  }
  return checked;
}

}  // namespace

std::uint64_t memory_of(const Plan& plan, std::uint32_t buffer) {
  const auto& slot = plan.buffers[buffer].slot;
  return slot ? plan.buffers.size() + *slot : buffer;
}

Result<void> check_range(const Plan& plan, std::string_view user, std::uint32_t buffer,
                         std::uint64_t offset, std::uint64_t bytes, std::uint32_t usage) {
  if (buffer >= plan.buffers.size()) return contradiction(user, " uses buffer ", buffer);
  const PlanBuffer& used = plan.buffers[buffer];
  if (used.role == BufferRole::transient && !used.slot) {
    return contradiction(user, " uses transient '", used.id, "', which has no slot");
  }
  if ((used.usage & usage) != usage) {
    return contradiction(user, " uses buffer '", used.id, "' as ", usage_names(usage),
                         ", which its usage does not allow");
  }
  if (bytes == 0 || offset > used.bytes || bytes > used.bytes - offset) {
    return contradiction(user, " uses ", bytes, " bytes at offset ", offset, " of buffer '",
                         used.id, "' (", used.bytes, " bytes)");
  }
  return {};
}

Result<void> check_plan(const Plan& plan, const Limits& limits) {
  if (const auto checked = check_texts(plan); !checked) return checked;
  if (const auto checked = check_buffers(plan, limits); !checked) return checked;
  for (const PlanKernel& kernel : plan.kernels) {
    if (const auto checked = check_kernel(kernel, limits); !checked) return checked;
  }
  if (const auto checked = check_nodes(plan); !checked) return checked;
  if (const auto checked = check_dispatches(plan, limits); !checked) return checked;
  return check_passes(plan);
}

}  // namespace wgprim::native
