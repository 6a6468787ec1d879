// The invariants of plans, each written from the contract (D-2, E-4, TR-1, SC-15) rather than from
// the planner. tests/plan/plan_faults_test.cpp breaks each of them once.
#include "support/plan_faults.hpp"

#include <algorithm>
#include <map>

#include "support/plan_lives.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

class Inspector {
 public:
  Inspector(const Plan& plan, const DeviceProfile& profile)
      : plan_(plan), limits_(profile.limits), capabilities_(profile.capabilities) {}

  std::vector<std::string> run() {
    for (const PlanSlot& slot : plan_.slots) {
      require(slot.bytes <= limits_.max_buffer_size, "a slot is above maxBufferSize");
    }
    for (const PlanBuffer& buffer : plan_.buffers)
      inspect_role(buffer);
    for (index_ = 0; index_ < plan_.dispatches.size(); ++index_)
      inspect(plan_.dispatches[index_]);
    inspect_slots();
    inspect_passes();
    inspect_totals();
    return std::move(faults_);
  }

 private:
  void require(bool holds, std::string_view sentence) {
    if (!holds) faults_.push_back(concat("At dispatch ", index_, ": ", sentence, "."));
  }

  void inspect_role(const PlanBuffer& buffer) {
    const bool is_constant = buffer.role == BufferRole::constant;
    require(is_constant ? buffer.bytes == 4 * buffer.words.size() : buffer.words.empty(),
            "a buffer has not the words that its role asks for");
    require(!is_constant || buffer.bytes <= limits_.max_buffer_size,
            "a constant is above maxBufferSize");
    require(buffer.role == BufferRole::transient || !buffer.slot,
            "a buffer that is no transient has a slot");
  }

  void inspect(const PlanDispatch& dispatch) {
    const PlanKernel& kernel = plan_.kernels[dispatch.kernel];
    if (dispatch.extent) inspect(dispatch, *dispatch.extent);
    for (const std::uint32_t count : dispatch.shape) {
      require(count >= 1 && count <= limits_.max_compute_workgroups_per_dimension,
              "a dimension is 0 or above maxComputeWorkgroupsPerDimension");
    }
    const auto storage = std::ranges::count_if(kernel.bindings, [](const auto& declared) {
      return declared.access != Access::uniform && declared.access != Access::parameters;
    });
    require(static_cast<std::uint64_t>(storage) <= limits_.max_storage_buffers_per_shader_stage,
            "there are more bindings than maxStorageBuffersPerShaderStage");
    require(kernel.bindings.size() - static_cast<std::uint64_t>(storage) <=
                limits_.max_uniform_buffers_per_shader_stage,
            "there are more bindings than maxUniformBuffersPerShaderStage");
    require(capabilities_.subgroups || !kernel.uses_subgroups, "the device has no subgroups");
    inspect_width(dispatch, kernel);
    inspect_declarations(dispatch, kernel);
    for (const PlanBinding& binding : dispatch.bindings)
      inspect(kernel, binding);
    if (dispatch.indirect) inspect(kernel, dispatch, *dispatch.indirect);
    for (std::size_t i = 0; i < dispatch.bindings.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        inspect_pair(kernel, dispatch.bindings[i], dispatch.bindings[j]);
      }
    }
  }

  /// Planned for as many items as the extent says; what items stand for is the interpreter's to
  /// see.
  void inspect(const PlanDispatch& dispatch, const PlanExtent& extent) {
    if (dispatch.parameters.size() < 2 || extent.items_per_workgroup == 0 ||
        extent.rows_per_item == 0) {
      return require(false, "an extent has nothing to count by");
    }
    const bool is_empty = extent.keeps_workgroups && dispatch.parameters[0] == 0;
    require(is_empty || dispatch.parameters[0] == extent.items,
            "the rows are not those of the extent");
    const std::uint64_t groups =
        (extent.items + extent.items_per_workgroup - 1) / extent.items_per_workgroup;
    const auto [x, y, z] = dispatch.shape;
    require(dispatch.parameters[1] == groups && groups <= std::uint64_t{x} * y * z,
            "the workgroups are not those of the extent");
    const std::optional<std::uint64_t>& capacity = plan_.nodes[dispatch.node].row_capacity;
    require(capacity && (is_empty || (extent.first_item + extent.items - 1) * extent.rows_per_item <
                                         std::max<std::uint64_t>(*capacity, 1)),
            "an item of the extent stands for rows that the node has not");
  }

  void inspect_width(const PlanDispatch& dispatch, const PlanKernel& kernel) {
    const Workload& workload = dispatch.workload;
    const auto [x, y, z] = dispatch.shape;
    std::uint64_t width = workload.invocations / std::max<std::uint64_t>(workload.workgroups, 1);
    if (kernel.wgsl.empty()) {
      const auto constant = std::ranges::find(kernel.constants, "WORKGROUP_WIDTH",
                                              &std::pair<std::string, std::uint32_t>::first);
      if (constant == kernel.constants.end()) return require(false, "the kernel has no width");
      width = constant->second;
      require(width <= limits_.max_compute_workgroup_size_x &&
                  width * 4 <= limits_.max_compute_workgroup_storage_size,
              "the workgroup is wider than the device allows");
    }
    require(width <= limits_.max_compute_invocations_per_workgroup,
            "the workgroup is wider than the device allows");
    require(workload.workgroups == std::uint64_t{x} * y * z &&
                workload.invocations == workload.workgroups * width,
            "the launched counts are not those of the shape");
  }

  /// The dispatch binds what its kernel declares, but for the parameter block.
  void inspect_declarations(const PlanDispatch& dispatch, const PlanKernel& kernel) {
    std::vector<std::uint32_t> declared;
    for (const KernelBinding& binding : kernel.bindings) {
      if (binding.access != Access::parameters) declared.push_back(binding.binding);
    }
    require(std::ranges::equal(dispatch.bindings, declared, {}, &PlanBinding::binding),
            "the bindings are not those of the kernel");
  }

  void inspect(const PlanKernel& kernel, const PlanBinding& binding) {
    const bool is_uniform = has_access(kernel, binding.binding, Access::uniform);
    require(binding.offset % 256 == 0, "a bound offset is no multiple of 256");
    require(binding.bytes > 0 && binding.bytes % 4 == 0, "a bound size is not in words");
    require(binding.bytes <= (is_uniform ? limits_.max_uniform_buffer_binding_size
                                         : limits_.max_storage_buffer_binding_size),
            is_uniform ? "a binding is above maxUniformBufferBindingSize"
                       : "a binding is above maxStorageBufferBindingSize");
    inspect_range(binding.buffer, binding.offset, binding.bytes,
                  is_uniform ? kUsageUniform : kUsageStorage);
    require(plan_.buffers[binding.buffer].role != BufferRole::constant ||
                !writes(kernel, binding.binding),
            "a constant is written");
  }

  void inspect(const PlanKernel& kernel, const PlanDispatch& dispatch, const IndirectShape& shape) {
    require(shape.offset % 4 == 0, "a record starts between words");
    inspect_range(shape.buffer, shape.offset, 12, kUsageIndirect);
    for (const PlanBinding& binding : dispatch.bindings) {
      require(
          !writes(kernel, binding.binding) || memory_of(binding.buffer) != memory_of(shape.buffer),
          "a dispatch writes the buffer that holds its shape");
    }
  }

  void inspect_range(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes,
                     std::uint32_t usage) {
    const PlanBuffer& buffer = plan_.buffers[index];
    require(offset <= buffer.bytes && bytes <= buffer.bytes - offset,
            "a range ends behind its buffer");
    require((buffer.usage & usage) != 0, "a buffer has not the usage that it is put to");
    require(buffer.role != BufferRole::transient || buffer.slot, "a transient has no slot");
  }

  /// One piece of memory behind two bindings: reading both is fine, writing only to distinct
  /// ranges, and reading beside writing never.
  void inspect_pair(const PlanKernel& kernel, const PlanBinding& a, const PlanBinding& b) {
    if (memory_of(a.buffer) != memory_of(b.buffer)) return;
    const bool a_writes = writes(kernel, a.binding);
    const bool b_writes = writes(kernel, b.binding);
    require(a_writes == b_writes, "one buffer is bound for reading and for writing");
    const bool meet = a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
    require(!meet || !(a_writes || b_writes), "two bindings that write share bytes");
  }

  static bool has_access(const PlanKernel& kernel, std::uint32_t binding, Access access) {
    return std::ranges::find(kernel.bindings, KernelBinding{binding, access}) !=
           kernel.bindings.end();
  }

  static bool writes(const PlanKernel& kernel, std::uint32_t binding) {
    return has_access(kernel, binding, Access::storage_read_write);
  }

  std::size_t memory_of(std::uint32_t buffer) const {
    const auto& slot = plan_.buffers[buffer].slot;
    return slot ? plan_.buffers.size() + *slot : buffer;
  }

  void inspect_slots() {
    std::map<std::uint32_t, TransientLife> tenants;  // The latest of each slot.
    for (const TransientLife& life : lives_of(plan_)) {
      const PlanBuffer& buffer = plan_.buffers[life.buffer];
      if (!buffer.slot) continue;
      const PlanSlot& slot = plan_.slots[*buffer.slot];
      require(slot.bytes >= buffer.bytes && (buffer.usage & ~slot.usage) == 0,
              concat("'", buffer.id, "' does not fit its slot"));
      const auto [tenant, is_first] = tenants.try_emplace(*buffer.slot, life);
      require(is_first || tenant->second.last < life.first,
              concat("'", buffer.id, "' and '", plan_.buffers[tenant->second.buffer].id,
                     "' share a slot alive"));
      tenant->second = life;
    }
  }

  void inspect_passes() {
    std::uint32_t next = 0;
    for (const PlanPass& pass : plan_.passes) {
      if (const auto* compute = std::get_if<PlanComputePass>(&pass)) {
        require(compute->first == next && compute->end > next, "the passes leave a gap");
        next = compute->end;
      } else if (const auto* copy = std::get_if<PlanCopy>(&pass)) {
        inspect_range(copy->source, copy->source_offset, copy->bytes, kUsageCopySource);
        inspect_range(copy->destination, copy->destination_offset, copy->bytes,
                      kUsageCopyDestination);
        require(memory_of(copy->source) != memory_of(copy->destination),
                "a copy stays within one buffer");
      } else if (const auto* clear = std::get_if<PlanClear>(&pass)) {
        inspect_range(clear->buffer, clear->offset, clear->bytes, kUsageCopyDestination);
      } else {
        for (const PlanExternalUse& use : std::get<PlanExternal>(pass).uses)
          inspect_range(use.buffer, use.offset, use.bytes, use.usage);
      }
    }
    require(next == plan_.dispatches.size(), "some dispatch is in no pass");
  }

  void inspect_totals() {
    std::uint64_t scratch = 0, unshared = 0, largest = 0;
    Workload sum;
    for (const PlanSlot& slot : plan_.slots)
      scratch += slot.bytes;
    for (const PlanBuffer& buffer : plan_.buffers) {
      if (buffer.slot) unshared += buffer.bytes;
    }
    for (const PlanDispatch& dispatch : plan_.dispatches) {
      sum.workgroups += dispatch.workload.workgroups;
      sum.invocations += dispatch.workload.invocations;
      sum.bytes_read += dispatch.workload.bytes_read;
      sum.bytes_written += dispatch.workload.bytes_written;
      for (const PlanBinding& binding : dispatch.bindings) {
        largest = std::max(largest, binding.bytes);
      }
    }
    for (const PlanPass& pass : plan_.passes) {
      const auto* copy = std::get_if<PlanCopy>(&pass);
      const auto* clear = std::get_if<PlanClear>(&pass);
      if (copy != nullptr) sum.bytes_read += copy->bytes;
      if (copy != nullptr || clear != nullptr)
        sum.bytes_written += copy != nullptr ? copy->bytes : clear->bytes;
    }
    require(plan_.scratch_bytes == scratch && plan_.scratch_bytes_without_reuse == unshared &&
                scratch <= unshared,
            "the scratch totals are wrong");
    require(plan_.workload == sum, "the workload is not the sum over the commands");
    require(plan_.largest_binding_bytes == largest, "the largest binding is wrong");
  }

  const Plan& plan_;
  const Limits& limits_;
  const Capabilities& capabilities_;
  std::size_t index_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> find_faults(const Plan& plan, const DeviceProfile& profile) {
  return Inspector(plan, profile).run();
}

}  // namespace wgprim::testing
