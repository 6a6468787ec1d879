// The invariants of plans, each written from the contract (D-2, E-4, TR-1, SC-15) rather than from
// the planner. tests/plan/plan_faults_test.cpp breaks each of them once.
#include "support/plan_faults.hpp"

#include <algorithm>
#include <map>
#include <optional>

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

  void inspect(const PlanDispatch& dispatch) {
    const PlanKernel& kernel = plan_.kernels[dispatch.kernel];
    for (const std::uint32_t count : dispatch.shape) {
      require(count >= 1 && count <= limits_.max_compute_workgroups_per_dimension,
              "a dimension is 0 or above maxComputeWorkgroupsPerDimension");
    }
    require(dispatch.bindings.size() <= limits_.max_storage_buffers_per_shader_stage,
            "there are more bindings than maxStorageBuffersPerShaderStage");
    require(capabilities_.subgroups || !kernel.uses_subgroups, "the device has no subgroups");
    inspect_width(dispatch, kernel);
    inspect_declarations(dispatch, kernel);
    for (const PlanBinding& binding : dispatch.bindings)
      inspect(binding);
    for (std::size_t i = 0; i < dispatch.bindings.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        inspect_pair(kernel, dispatch.bindings[i], dispatch.bindings[j]);
      }
    }
  }

  void inspect_width(const PlanDispatch& dispatch, const PlanKernel& kernel) {
    const auto width = std::ranges::find(kernel.constants, "WORKGROUP_WIDTH",
                                         &std::pair<std::string, std::uint32_t>::first);
    if (width == kernel.constants.end()) return require(false, "the kernel has no width");
    require(width->second <= limits_.max_compute_invocations_per_workgroup &&
                width->second <= limits_.max_compute_workgroup_size_x &&
                width->second * std::uint64_t{4} <= limits_.max_compute_workgroup_storage_size,
            "the workgroup is wider than the device allows");
    const Workload& workload = dispatch.workload;
    require(workload.workgroups ==
                    std::uint64_t{dispatch.shape[0]} * dispatch.shape[1] * dispatch.shape[2] &&
                workload.invocations == workload.workgroups * width->second,
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

  void inspect(const PlanBinding& binding) {
    const PlanBuffer& buffer = plan_.buffers[binding.buffer];
    require(binding.offset % 256 == 0, "a bound offset is no multiple of 256");
    require(binding.bytes > 0 && binding.bytes % 4 == 0, "a bound size is not in words");
    require(binding.bytes <= limits_.max_storage_buffer_binding_size,
            "a binding is above maxStorageBufferBindingSize");
    require(binding.offset <= buffer.bytes && binding.bytes <= buffer.bytes - binding.offset,
            "a binding ends behind its buffer");
    require((buffer.usage & kUsageStorage) != 0, "a bound buffer has no storage usage");
    require(buffer.role != BufferRole::transient || buffer.slot, "a bound transient has no slot");
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

  static bool writes(const PlanKernel& kernel, std::uint32_t binding) {
    return std::ranges::any_of(kernel.bindings, [&](const KernelBinding& declared) {
      return declared.binding == binding && declared.access == Access::storage_read_write;
    });
  }

  std::size_t memory_of(std::uint32_t buffer) const {
    const auto& slot = plan_.buffers[buffer].slot;
    return slot ? plan_.buffers.size() + *slot : buffer;
  }

  void inspect_slots() {
    index_ = 0;
    std::map<std::uint32_t, std::pair<std::size_t, std::size_t>> lives;  // Buffer to [first, last].
    for (std::size_t i = 0; i < plan_.dispatches.size(); ++i) {
      for (const PlanBinding& binding : plan_.dispatches[i].bindings) {
        lives.try_emplace(binding.buffer, i, i).first->second.second = i;
      }
    }
    for (const auto& [a, life] : lives) {
      const PlanBuffer& buffer = plan_.buffers[a];
      if (!buffer.slot) continue;
      const PlanSlot& slot = plan_.slots[*buffer.slot];
      require(slot.bytes >= buffer.bytes && (buffer.usage & ~slot.usage) == 0,
              concat("'", buffer.id, "' does not fit its slot"));
      for (const auto& [b, other] : lives) {
        const bool share = b > a && plan_.buffers[b].slot == buffer.slot;
        const bool are_both_live = life.first <= other.second && other.first <= life.second;
        require(!share || !are_both_live,
                concat("'", buffer.id, "' and '", plan_.buffers[b].id, "' share a slot alive"));
      }
    }
  }

  void inspect_passes() {
    std::uint32_t next = 0;
    for (const PlanPass& pass : plan_.passes) {
      const auto* compute = std::get_if<PlanComputePass>(&pass);
      if (compute == nullptr) continue;
      require(compute->first == next && compute->end > next, "the passes leave a gap");
      next = compute->end;
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
    require(plan_.scratch_bytes == scratch && plan_.scratch_bytes_without_reuse == unshared &&
                scratch <= unshared,
            "the scratch totals are wrong");
    require(plan_.workload == sum, "the workload is not the sum over the dispatches");
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
