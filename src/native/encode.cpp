// Executable::encode and encode_in_pass: everything that can be wrong is found out before the first
// command reaches the caller's encoder.
#include "native/encode.hpp"

#include <algorithm>

#include "native/error_scope.hpp"
#include "native/timer_state.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace native {
namespace {

Result<std::shared_ptr<NodeTimer::State>> node_timer_of(const Executable::State& state,
                                                        const NodeTimer& timer) {
  const auto found = state_of(timer, *state.device);
  if (!found) return pass_on(found);
  if ((*found)->is_recording) {
    return fail(ErrorCode::invalid_argument, "The node timer is timing another encode.");
  }
  if ((*found)->capacity < state.plan.nodes.size()) {
    return fail(ErrorCode::invalid_argument,
                concat("The node timer was made for ", (*found)->capacity,
                       " nodes, fewer than the plan's ", state.plan.nodes.size(), "."));
  }
  return timer.state();
}

/// While commands are recorded: the executable takes no other encode from external work, and the
/// buffers in use stay whatever that work lets go of. Ends as if nothing had been timed unless
/// `keep_times` is called; also when external work throws.
class RecordingMark {
 public:
  RecordingMark(Executable::State& state, const Recording& recording)
      : state_(state),
        timer_(recording.node_timer),
        timed_before_(timer_ == nullptr ? 0 : timer_->timed_nodes.size()) {
    if (!state.nodes.external_nodes().empty()) hold_imports(recording.commands);
    set(true);
  }
  RecordingMark(const RecordingMark&) = delete;
  RecordingMark& operator=(const RecordingMark&) = delete;
  ~RecordingMark() {
    set(false);
    if (timer_ != nullptr && !has_times_) timer_->timed_nodes.resize(timed_before_);
    state_.resolution.held.clear();
  }

  void keep_times() { has_times_ = true; }

 private:
  void set(bool is_recording) {
    state_.is_recording = is_recording;
    if (timer_ != nullptr) timer_->is_recording = is_recording;
  }
  /// Those of the nodes at hand only: of other steps' buffers some may be destroyed by now.
  void hold_imports(std::span<const Command> commands) {
    Resolution& resolution = state_.resolution;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const std::uint32_t node = commands[i].node;
      const bool is_known = i > 0 && commands[i - 1].node == node;
      if (is_known || resolution.key.active_nodes[node] == 0) continue;
      for (const std::uint32_t index : state_.imports.used_by(node)) {
        wgpuBufferAddRef(resolution.buffers[index]);
        resolution.held.emplace_back(resolution.buffers[index]);
      }
    }
  }

  Executable::State& state_;
  NodeTimer::State* timer_;
  std::size_t timed_before_;
  bool has_times_ = false;
};

Result<void> check_fits_pass(const Executable::State& state) {
  for (const Command& command : state.commands.all()) {
    if (state.resolution.key.active_nodes[command.node] == 0) continue;
    const char* what = nullptr;
    switch (command.kind) {
      case Command::Kind::dispatch: continue;
      case Command::Kind::copy: what = "copies"; break;
      case Command::Kind::clear: what = "clears"; break;
      case Command::Kind::external: what = "is external work"; break;
    }
    return fail(ErrorCode::invalid_argument,
                concat("Node '", state.plan.nodes[command.node].id, "' ", what,
                       ", which cannot be recorded into a compute pass."));
  }
  return {};
}

}  // namespace

Result<void> check_free(const Executable::State& state) {
  if (state.is_recording) {
    return fail(ErrorCode::invalid_argument,
                "External work asks for an encode of the executable that is just calling it.");
  }
  if (state.is_executing) {
    return fail(ErrorCode::invalid_argument,
                "An execution of the executable is in progress; it ends with its last step, or "
                "when it goes.");
  }
  return {};
}

Result<Timers> timers_of(const Executable::State& state, const EncodeOptions& options) {
  Timers timers;
  if (options.timer != nullptr && options.node_timer != nullptr) {
    return fail(ErrorCode::invalid_argument, "An encode takes a timer or a node timer, not both.");
  }
  if (options.timer != nullptr) {
    const auto timer = state_of(*options.timer, *state.device);
    if (!timer) return pass_on(timer);
    timers.timer = options.timer->state();
  }
  if (options.node_timer != nullptr) {
    const auto timer = node_timer_of(state, *options.node_timer);
    if (!timer) return pass_on(timer);
    timers.node_timer = *timer;
  }
  return timers;
}

Result<void> resolve(Executable::State& state, const EncodeOptions& options) {
  if (const auto alive = state.device->check_alive(); !alive) return alive;
  Resolution& resolution = state.resolution;
  auto resolved = state.conditions.resolve(state.plan, options.parameters, resolution);
  if (!resolved) return resolved;
  resolved = state.nodes.resolve_row_counts(state.plan, options.row_counts, resolution);
  if (!resolved) return resolved;
  resolved = state.nodes.resolve_externals(state.plan, options.externals, resolution);
  if (!resolved) return resolved;
  resolved = resolve_imports(*state.device, state.plan, state.imports, options.imports,
                             state.defaults, resolution);
  if (!resolved || !resolution.key.has_row_counts || state.row_count_parameters) return resolved;
  ParameterSet set{.layout{state.plan, true}, .buffers{}};
  auto buffers = create_parameter_targets(*state.device, set.layout);
  if (!buffers) return pass_on(buffers);
  set.buffers = std::move(*buffers);
  state.row_count_parameters = std::move(set);
  return {};
}

Result<std::vector<ParameterPiece>> create_row_count_parameters(Executable::State& state,
                                                                std::span<const Command> commands,
                                                                WGPUBufferUsage usage) {
  if (!state.resolution.key.has_row_counts) return {};
  constexpr auto kDispatch = Command::Kind::dispatch;
  const auto first = std::ranges::find(commands, kDispatch, &Command::kind);
  if (first == commands.end()) return {};
  const auto last = std::find_if(commands.rbegin(), commands.rend(),
                                 [](const Command& command) { return command.kind == kDispatch; });
  return create_parameters(*state.device, state.plan, state.row_count_parameters->layout,
                           first->index, last->index + 1, state.resolution.rows, usage);
}

Result<void> record_checked(Executable::State& state, const BindingSet& set,
                            const Recording& recording, WGPUCommandEncoder encoder) {
  ErrorScope scope(*state.device);
  RecordingMark mark(state, recording);
  const auto passes = record(state, set, recording, encoder, scope);
  if (!passes) return pass_on(passes);
  if (auto error = scope.close(ErrorCode::invalid_argument, kEncoderRefuses)) {
    return std::unexpected(std::move(*error));
  }
  state.compute_passes = *passes;
  mark.keep_times();
  return {};
}

void note_outcomes(Executable::State& state) {
  state.outcomes.resize(state.plan.nodes.size());
  for (std::size_t node = 0; node < state.outcomes.size(); ++node) {
    const bool is_active = state.resolution.key.active_nodes[node] != 0;
    const bool is_gpu_resolved = state.nodes.is_gpu_resolved()[node] != 0;
    state.outcomes[node] = !is_active        ? Outcome::skipped
                           : is_gpu_resolved ? Outcome::gpu_resolved
                                             : Outcome::executed;
  }
}

}  // namespace native

Result<void> Executable::encode(WGPUCommandEncoder encoder, const EncodeOptions& options) {
  if (!state_) return fail(ErrorCode::invalid_argument, "The executable was moved from.");
  if (encoder == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null command encoder cannot be encoded into.");
  }
  const std::shared_ptr<State> state = state_;  // External work may let go of the executable.
  if (const auto free = native::check_free(*state); !free) return free;
  const auto timers = native::timers_of(*state, options);
  if (!timers) return pass_on(timers);
  const auto& [timer, node_timer] = *timers;
  if (timer) timer->is_recorded = false;
  if (const auto resolved = native::resolve(*state, options); !resolved) return resolved;
  const auto set = native::find_or_create_binding_set(*state);
  if (!set) return pass_on(set);
  const auto commands = state->commands.all();
  const auto parameters =
      native::create_row_count_parameters(*state, commands, WGPUBufferUsage_CopySrc);
  if (!parameters) return pass_on(parameters);
  if (node_timer) node_timer->start(state->plan.nodes.size());
  const auto recorded = native::record_checked(*state, **set,
                                               {.commands = commands,
                                                .parameters = *parameters,
                                                .timer = timer.get(),
                                                .node_timer = node_timer.get()},
                                               encoder);
  if (!recorded) return recorded;
  if (timer) timer->is_recorded = state->compute_passes > 0;
  native::note_outcomes(*state);
  return {};
}

Result<void> Executable::encode_in_pass(WGPUComputePassEncoder pass, const EncodeOptions& options) {
  if (!state_) return fail(ErrorCode::invalid_argument, "The executable was moved from.");
  if (pass == nullptr || options.timer != nullptr || options.node_timer != nullptr) {
    return fail(ErrorCode::invalid_argument,
                "A compute pass of the caller must not be null and takes no timer.");
  }
  if (const auto free = native::check_free(*state_); !free) return free;
  if (const auto resolved = native::resolve(*state_, options); !resolved) return resolved;
  if (const auto fits = native::check_fits_pass(*state_); !fits) return fits;
  const auto parameters =
      native::create_row_count_parameters(*state_, state_->commands.all(), WGPUBufferUsage_Uniform);
  if (!parameters) return pass_on(parameters);
  std::vector<WGPUBuffer> buffers;
  for (const native::ParameterPiece& piece : *parameters)
    buffers.push_back(piece.buffer.get());
  const auto set = buffers.empty() ? native::find_or_create_binding_set(*state_)
                                   : native::create_binding_set(*state_, buffers);
  if (!set) return pass_on(set);
  native::ErrorScope recording(*state_->device);
  native::record_in_pass(*state_, **set, pass);
  if (auto error = recording.close(ErrorCode::invalid_argument, "The pass takes no commands")) {
    return std::unexpected(std::move(*error));
  }
  native::note_outcomes(*state_);
  return {};
}

}  // namespace wgprim
