// Makes a plan ready on a device: checks it, gets its pipelines, allocates its memory, writes its
// parameter blocks. After this an encode only looks things up.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "native/buffer_state.hpp"
#include "native/executable_state.hpp"
#include "native/memory_mappings.hpp"
#include "native/plan_check.hpp"
#include "native/timer_state.hpp"
#include "native/work.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

using native::BufferHandle;

/// How a kernel is used: its first dispatch, and the fewest bytes that a dispatch binds.
struct KernelUse {
  const PlanDispatch* first = nullptr;
  std::vector<std::uint64_t> least_bytes;  ///< By binding; 0: any kernel of the table makes do.
};

/// Kernels of the table read words of arrays, so that only their parameter blocks have a size to
/// keep; a kernel's own text may ask for more of any binding.
std::vector<KernelUse> uses_of_kernels(const Executable::State& state) {
  std::vector<KernelUse> uses(state.plan.kernels.size());
  for (std::uint32_t i = 0; i < state.plan.dispatches.size(); ++i) {
    const PlanDispatch& dispatch = state.plan.dispatches[i];
    const PlanKernel& kernel = state.plan.kernels[dispatch.kernel];
    KernelUse& use = uses[dispatch.kernel];
    if (use.first == nullptr) use = {&dispatch, {}};
    use.least_bytes.resize(kernel.bindings.size(), std::numeric_limits<std::uint64_t>::max());
    auto bound = dispatch.bindings.begin();
    for (std::size_t b = 0; b < kernel.bindings.size(); ++b) {
      const bool is_parameters = kernel.bindings[b].access == Access::parameters;
      const std::uint64_t bytes =
          is_parameters ? state.parameters.layout.block(i).bytes : (bound++)->bytes;
      const bool counts = is_parameters || !kernel.wgsl.empty();
      use.least_bytes[b] = counts ? std::min(use.least_bytes[b], bytes) : 0;
    }
  }
  return uses;
}

Result<void> create_pipelines(Executable::State& state) {
  std::vector<KernelUse> uses = uses_of_kernels(state);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const PlanKernel& kernel = state.plan.kernels[i];
    uses[i].least_bytes.resize(kernel.bindings.size());
    auto pipeline =
        state.device->pipelines.find_or_create(*state.device, kernel, uses[i].least_bytes);
    const bool is_own = uses[i].first != nullptr && !kernel.wgsl.empty();
    if (!pipeline && is_own && pipeline.error().code == ErrorCode::invalid_argument) {
      return fail(pipeline.error().code, concat("Node '", state.plan.nodes[uses[i].first->node].id,
                                                "': ", pipeline.error().message));
    }
    if (!pipeline) return pass_on(pipeline);
    state.pipelines.push_back(std::move(*pipeline));
  }
  return {};
}

/// Copy-destination besides what the plan asks for: whoever tests or debugs can fill scratch.
Result<BufferHandle> create_scratch(Device::State& device, std::uint64_t bytes, std::uint32_t usage,
                                    std::string_view label) {
  return native::create_buffer(device, bytes,
                               native::to_webgpu_usage(usage | kUsageCopyDestination), label,
                               device.limits.max_buffer_size);
}

/// A buffer that lives as long as the executable: state, or words of the plan.
Result<BufferHandle> create_kept(Device::State& device, const PlanBuffer& buffer) {
  if (buffer.role == BufferRole::state) {
    return create_scratch(device, buffer.bytes, buffer.usage, buffer.id);
  }
  auto mapped = native::create_mapped_buffer(device, buffer.bytes,
                                             native::to_webgpu_usage(buffer.usage), buffer.id);
  if (!mapped) return pass_on(mapped);
  std::memcpy(mapped->bytes.data(), buffer.words.data(), buffer.bytes);
  wgpuBufferUnmap(mapped->buffer.get());
  return std::move(mapped->buffer);
}

Result<void> create_memory(Executable::State& state) {
  const Plan& plan = state.plan;
  for (std::size_t i = 0; i < plan.slots.size(); ++i) {
    auto slot =
        create_scratch(*state.device, plan.slots[i].bytes, plan.slots[i].usage, concat("slot ", i));
    if (!slot) return pass_on(slot);
    state.slots.push_back(std::move(*slot));
  }
  state.resolution.buffers.assign(plan.buffers.size(), nullptr);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const PlanBuffer& buffer = plan.buffers[i];
    if (buffer.slot) state.resolution.buffers[i] = state.slots[*buffer.slot].get();
    if (buffer.role != BufferRole::state && buffer.role != BufferRole::constant) continue;
    auto memory = create_kept(*state.device, buffer);
    if (!memory) return pass_on(memory);
    state.resolution.buffers[i] = memory->get();
    state.state_buffers.push_back(std::move(*memory));
  }
  return {};
}

Result<void> create_parameter_buffers(Executable::State& state) {
  auto pieces = native::create_parameters(*state.device, state.plan, state.parameters.layout, 0,
                                          static_cast<std::uint32_t>(state.plan.dispatches.size()),
                                          {}, WGPUBufferUsage_Uniform);
  if (!pieces) return pass_on(pieces);
  for (native::ParameterPiece& piece : *pieces)
    state.parameters.buffers.push_back(std::move(piece.buffer));
  return {};
}

}  // namespace

Result<Executable> Executable::create(Device& device, Plan plan) {
  return State::create(device, std::move(plan), device.state()->limits);
}

Result<Executable> Executable::State::create(Device& device, Plan plan, const Limits& limits) {
  Device::State& owner = *device.state();
  if (const auto alive = owner.check_alive(); !alive) return pass_on(alive);
  const auto checked = native::check_plan(plan, limits);
  if (!checked) return pass_on(checked);
  if (auto ok = native::check_memory_mappings(owner, plan); !ok) return pass_on(ok);
  auto state = std::make_shared<State>(device.state(), std::move(plan));
  for (const auto step : {create_pipelines, create_memory, create_parameter_buffers}) {
    if (const auto done = step(*state); !done) return pass_on(done);
  }
  owner.binding_sets.add(state->binding_sets);
  return Executable(std::move(state));
}

Result<void> Executable::set_default(const Import& import) {
  if (!state_) return fail(ErrorCode::invalid_argument, "The executable was moved from.");
  if (state_->is_recording) {
    return fail(ErrorCode::invalid_argument,
                "External work sets a default of the executable that is just calling it.");
  }
  const auto index = state_->imports.find(import.id);
  if (!index) {
    return fail(ErrorCode::invalid_argument,
                concat("Import '", import.id, "' is no imported buffer of the plan."));
  }
  const auto source = native::source_of(import.buffer, import.id);
  if (!source) return pass_on(source);
  const auto owned = source->buffer != nullptr
                         ? native::check_owner(*source->buffer, *state_->device, import.id)
                         : native::check_owner(source->bare, *state_->device, import.id);
  if (!owned) return owned;
  if (state_->defaults.empty()) state_->defaults.resize(state_->plan.buffers.size());
  state_->defaults[*index] = native::hold(state_->device, *source);
  return {};
}

std::span<const Outcome> Executable::outcomes() const {
  return state_ ? std::span<const Outcome>(state_->outcomes) : std::span<const Outcome>();
}

const Plan& Executable::plan() const {
  static const Plan kNone;
  return state_ ? state_->plan : kNone;
}

Result<void> run(Device& device, Executable& executable, const EncodeOptions& options,
                 std::optional<double>* gpu_ns) {
  const auto state = executable.state();  // Held: external work may let go of the executable.
  if (!state || state->device != device.state()) {
    return fail(ErrorCode::invalid_argument,
                "The executable was moved from or belongs to another device.");
  }
  EncodeOptions timed = options;
  if (gpu_ns != nullptr && options.timer == nullptr && state->device->allowed.timestamps) {
    if (!state->timer) {
      auto timer = Timer::create(device);
      if (!timer) return pass_on(timer);
      state->timer = std::move(*timer);
    }
    timed.timer = &*state->timer;
  }
  auto encoder = native::create_encoder(*device.state());
  if (!encoder) return pass_on(encoder);
  if (const auto encoded = executable.encode(encoder->get(), timed); !encoded) return encoded;
  const Workload& workload = state->plan.workload;
  const auto done =
      device.submit_and_wait(encoder->leak(), workload.bytes_read + workload.bytes_written);
  if (!done || gpu_ns == nullptr || timed.timer == nullptr) return done;
  const auto time = timed.timer->read(device);
  if (!time) return pass_on(time);
  if (*time) *gpu_ns = gpu_ns->value_or(0) + **time;
  return {};
}

}  // namespace wgprim
