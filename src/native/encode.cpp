// Executable::encode: resolve, bind, try, record. Before commands with new buffers reach the
// caller's encoder they are recorded into one of our own and finished there, so that whatever
// WebGPU refuses becomes an Error and the caller's encoder stays as it was.
#include "native/error_scope.hpp"
#include "native/executable_state.hpp"
#include "native/recorder.hpp"
#include "native/timer_state.hpp"
#include "native/work.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

using native::BindGroupHandle;
using native::BindingSet;

WGPUBindGroupEntry entry_of(std::uint32_t binding, WGPUBuffer buffer, std::uint64_t offset,
                            std::uint64_t bytes) {
  WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
  entry.binding = binding;
  entry.buffer = buffer;
  entry.offset = offset;
  entry.size = bytes;
  return entry;
}

BindGroupHandle create_bind_group(const Executable::State& state, std::size_t index,
                                  std::vector<WGPUBindGroupEntry>& entries) {
  const PlanDispatch& dispatch = state.plan.dispatches[index];
  entries.clear();
  auto bound = dispatch.bindings.begin();
  for (const KernelBinding& declared : state.plan.kernels[dispatch.kernel].bindings) {
    if (declared.access == Access::parameters) {
      const native::ParameterBlock& block = state.parameter_blocks[index];
      entries.push_back(entry_of(declared.binding, state.parameter_buffers[block.buffer].get(),
                                 block.offset, block.bytes));
    } else {
      entries.push_back(entry_of(bound->binding, state.resolution.buffers[bound->buffer],
                                 bound->offset, bound->bytes));
      ++bound;
    }
  }
  WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
  descriptor.label = native::to_webgpu(dispatch.label);
  descriptor.layout = state.pipelines[dispatch.kernel]->layout.get();
  descriptor.entryCount = entries.size();
  descriptor.entries = entries.data();
  ++state.device->bind_groups_created;
  return BindGroupHandle(wgpuDeviceCreateBindGroup(state.device->device.get(), &descriptor));
}

Result<std::shared_ptr<BindingSet>> create_binding_set(const Executable::State& state) {
  auto set = std::make_shared<BindingSet>();
  set->key = state.resolution.key;
  std::vector<WGPUBindGroupEntry> entries;
  native::ErrorScope scope(*state.device);
  for (std::size_t i = 0; i < state.plan.dispatches.size(); ++i) {
    const bool is_active = set->key.active_nodes[state.plan.dispatches[i].node] != 0;
    set->groups.push_back(is_active ? create_bind_group(state, i, entries) : BindGroupHandle());
  }
  if (auto error = scope.close(ErrorCode::invalid_argument, "The plan's buffers cannot be bound")) {
    return std::unexpected(std::move(*error));
  }
  return set;
}

Result<void> try_recording(const Executable::State& state, const BindingSet& set) {
  const auto encoder = native::create_encoder(*state.device);
  if (!encoder) return pass_on(encoder);
  native::ErrorScope scope(*state.device);
  native::record(state, set, nullptr, encoder->get());
  const native::CommandBufferHandle commands(wgpuCommandEncoderFinish(encoder->get(), nullptr));
  if (auto error = scope.close(ErrorCode::invalid_argument, "The plan cannot be encoded")) {
    return std::unexpected(std::move(*error));
  }
  return {};
}

/// The bind groups for the resolved buffers, tried out if they are new.
Result<std::shared_ptr<const BindingSet>> binding_set(Executable::State& state) {
  if (state.resolution.is_cacheable) {
    if (auto known = state.binding_sets->find(state.resolution.key)) return known;
  }
  auto set = create_binding_set(state);
  if (!set) return pass_on(set);
  if (const auto tried = try_recording(state, **set); !tried) return pass_on(tried);
  if (state.resolution.is_cacheable) state.binding_sets->insert(*set);
  return std::shared_ptr<const BindingSet>(std::move(*set));
}

Result<Timer::State*> timer_of(const Executable::State& state, const Timer* timer) {
  if (timer == nullptr) return nullptr;
  if (!timer->state() || timer->state()->device != state.device) {
    return fail(ErrorCode::invalid_argument,
                "The timer was moved from or belongs to another device.");
  }
  return timer->state().get();
}

/// Everything that can be wrong, found out before the first command.
Result<std::shared_ptr<const BindingSet>> prepare(Executable::State& state,
                                                  const EncodeOptions& options) {
  if (const auto alive = state.device->check_alive(); !alive) return pass_on(alive);
  auto resolved = native::resolve_conditions(state.plan, options.parameters, state.resolution);
  if (!resolved) return pass_on(resolved);
  resolved = native::resolve_imports(*state.device, state.plan, state.imports, options.imports,
                                     state.resolution);
  if (!resolved) return pass_on(resolved);
  return binding_set(state);
}

/// An error here is the encoder's: it is finished already, say.
Result<void> close(native::ErrorScope& recording) {
  if (auto error = recording.close(ErrorCode::invalid_argument, "The encoder takes no commands")) {
    return std::unexpected(std::move(*error));
  }
  return {};
}

Result<void> check_fits_pass(const Plan& plan, const BindingSet& set) {
  for (const PlanPass& pass : plan.passes) {
    const auto* copy = std::get_if<PlanCopy>(&pass);
    const auto* clear = std::get_if<PlanClear>(&pass);
    if (copy == nullptr && clear == nullptr) continue;
    const std::uint32_t node = copy != nullptr ? copy->node : clear->node;
    if (set.key.active_nodes[node] == 0) continue;
    return fail(ErrorCode::invalid_argument,
                concat("Node '", plan.nodes[node].id, "' ", copy != nullptr ? "copies" : "clears",
                       ", which cannot be recorded into a compute pass."));
  }
  return {};
}

}  // namespace

Result<void> Executable::encode(WGPUCommandEncoder encoder, const EncodeOptions& options) {
  if (!state_) return fail(ErrorCode::invalid_argument, "The executable was moved from.");
  if (encoder == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null command encoder cannot be encoded into.");
  }
  const auto timer = timer_of(*state_, options.timer);
  if (!timer) return pass_on(timer);
  if (*timer != nullptr) (*timer)->is_recorded = false;
  const auto set = prepare(*state_, options);
  if (!set) return pass_on(set);
  native::ErrorScope recording(*state_->device);
  const bool has_passes = native::record(*state_, **set, *timer, encoder);
  if (const auto recorded = close(recording); !recorded) return recorded;
  if (*timer != nullptr) (*timer)->is_recorded = has_passes;
  return {};
}

Result<void> Executable::encode_in_pass(WGPUComputePassEncoder pass, const EncodeOptions& options) {
  if (!state_) return fail(ErrorCode::invalid_argument, "The executable was moved from.");
  if (pass == nullptr || options.timer != nullptr) {
    return fail(ErrorCode::invalid_argument,
                "A compute pass of the caller must not be null and takes no timer.");
  }
  const auto set = prepare(*state_, options);
  if (!set) return pass_on(set);
  if (const auto fits = check_fits_pass(state_->plan, **set); !fits) return fits;
  native::ErrorScope recording(*state_->device);
  native::record_in_pass(*state_, **set, pass);
  return close(recording);
}

}  // namespace wgprim
