// Makes the bind groups of an encode, under an error scope: what WebGPU refuses there becomes an
// Error before the caller's encoder has heard of anything.
#include "native/binding_sets.hpp"
#include "native/error_scope.hpp"
#include "native/executable_state.hpp"
#include "native/memory_mappings.hpp"

namespace wgprim::native {
namespace {

WGPUBindGroupEntry entry_of(std::uint32_t binding, WGPUBuffer buffer, std::uint64_t offset,
                            std::uint64_t bytes) {
  WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
  entry.binding = binding;
  entry.buffer = buffer;
  entry.offset = offset;
  entry.size = bytes;
  return entry;
}

class Binder {
 public:
  Binder(const Executable::State& state, std::span<const WGPUBuffer> row_count_parameters)
      : state_(state), row_count_parameters_(row_count_parameters) {}

  BindGroupHandle create(std::uint32_t index) {
    const PlanDispatch& dispatch = state_.plan.dispatches[index];
    entries_.clear();
    auto bound = dispatch.bindings.begin();
    for (const KernelBinding& declared : state_.plan.kernels[dispatch.kernel].bindings) {
      if (declared.access == Access::parameters) {
        entries_.push_back(parameters(declared.binding, index));
      } else {
        entries_.push_back(entry_of(bound->binding, state_.resolution.buffers[bound->buffer],
                                    bound->offset, bound->bytes));
        ++bound;
      }
    }
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.label = to_webgpu(dispatch.label);
    descriptor.layout = state_.pipelines[dispatch.kernel]->layout.get();
    descriptor.entryCount = entries_.size();
    descriptor.entries = entries_.data();
    ++state_.device->bind_groups_created;
    return BindGroupHandle(wgpuDeviceCreateBindGroup(state_.device->device.get(), &descriptor));
  }

 private:
  WGPUBindGroupEntry parameters(std::uint32_t binding, std::uint32_t index) const {
    if (state_.resolution.key.has_row_counts && state_.plan.dispatches[index].extent) {
      const ParameterBlock& block = state_.row_count_parameters->layout.block(index);
      return entry_of(binding, row_count_parameters_[block.buffer], block.offset, block.bytes);
    }
    const ParameterBlock& block = state_.parameters.layout.block(index);
    return entry_of(binding, state_.parameters.buffers[block.buffer].get(), block.offset,
                    block.bytes);
  }

  const Executable::State& state_;
  std::span<const WGPUBuffer> row_count_parameters_;
  std::vector<WGPUBindGroupEntry> entries_;
};

}  // namespace

Result<std::shared_ptr<const BindingSet>> create_binding_set(
    Executable::State& state, std::span<const WGPUBuffer> row_count_parameters) {
  if (auto ok = check_memory_mappings(*state.device, state.plan); !ok) return pass_on(ok);
  auto set = std::make_shared<BindingSet>();
  set->key = state.resolution.key;
  Binder binder(state, row_count_parameters);
  ErrorScope scope(*state.device);
  for (std::uint32_t i = 0; i < state.plan.dispatches.size(); ++i) {
    const bool is_active = set->key.active_nodes[state.plan.dispatches[i].node] != 0;
    set->groups.push_back(is_active ? binder.create(i) : BindGroupHandle());
  }
  if (auto error = scope.close(ErrorCode::invalid_argument, "The plan's buffers cannot be bound")) {
    return std::unexpected(std::move(*error));
  }
  return set;
}

Result<std::shared_ptr<const BindingSet>> find_or_create_binding_set(Executable::State& state) {
  if (state.resolution.is_cacheable) {
    if (auto known = state.binding_sets->find(state.resolution.key)) return known;
  }
  std::vector<WGPUBuffer> row_count_parameters;
  if (state.row_count_parameters) {
    for (const BufferHandle& buffer : state.row_count_parameters->buffers)
      row_count_parameters.push_back(buffer.get());
  }
  auto set = create_binding_set(state, row_count_parameters);
  if (set && state.resolution.is_cacheable) state.binding_sets->insert(*set);
  return set;
}

}  // namespace wgprim::native
