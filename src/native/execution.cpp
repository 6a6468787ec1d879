// Execution: a plan recorded step by step. What begin resolved stays the executable's resolution
// until the last step, or until the execution goes; nobody else can encode meanwhile.
#include <utility>

#include "native/encode.hpp"
#include "native/timer_state.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {

struct Execution::State {
  explicit State(std::shared_ptr<Executable::State> owner)
      : executable(std::move(owner)), held(executable->plan.buffers.size()) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!is_done()) executable->is_executing = false;
  }

  bool is_done() const { return progress.steps_done == progress.steps; }
  void advance();
  PlanStep step() const;
  void keep(const EncodeOptions& options);
  Result<void> check_sources(const PlanStep& step) const;
  Result<void> record(const PlanStep& step, WGPUCommandEncoder encoder) const;

  std::shared_ptr<Executable::State> executable;
  std::shared_ptr<const native::BindingSet> set;
  std::vector<native::HeldBuffer> held;         ///< By plan buffer: the imports in use.
  std::vector<native::ExternalFunction> calls;  ///< The resolution points to these.
  std::shared_ptr<NodeTimer::State> node_timer;
  std::uint64_t timer_run = 0;
  Progress progress;
};

PlanStep Execution::State::step() const {
  const Plan& plan = executable->plan;
  if (!plan.steps.empty()) return plan.steps[progress.steps_done];
  return {.first = 0, .end = static_cast<std::uint32_t>(plan.nodes.size())};
}

/// Takes over what the resolution points to in the caller's options and in the defaults.
void Execution::State::keep(const EncodeOptions& options) {
  native::Resolution& resolution = executable->resolution;
  for (const std::uint32_t buffer : executable->imports.imported()) {
    if (resolution.is_needed[buffer] == 0) continue;
    held[buffer] = native::hold(executable->device, resolution.sources[buffer]);
    resolution.sources[buffer] = held[buffer].source();
  }
  calls.reserve(options.externals.size());
  for (const std::uint32_t node : executable->nodes.external_nodes()) {
    if (resolution.calls[node] == nullptr) continue;
    calls.push_back(*resolution.calls[node]);
    resolution.calls[node] = &calls.back();
  }
}

/// After the last step nothing is held any more, and others may encode.
void Execution::State::advance() {
  ++progress.steps_done;
  if (!is_done()) return;
  executable->is_executing = false;
  set.reset();
  held.clear();
  calls.clear();
}

/// The imports of the nodes that run, which may have been destroyed or mapped since the begin.
Result<void> Execution::State::check_sources(const PlanStep& step) const {
  const native::Resolution& resolution = executable->resolution;
  for (std::uint32_t node = step.first; node < step.end; ++node) {
    if (resolution.key.active_nodes[node] == 0) continue;
    for (const std::uint32_t buffer : executable->imports.used_by(node)) {
      const auto checked = native::check_source(*executable->device, resolution.sources[buffer],
                                                executable->plan.buffers[buffer].id);
      if (!checked) return checked;
    }
  }
  return {};
}

Result<void> Execution::State::record(const PlanStep& step, WGPUCommandEncoder encoder) const {
  const auto commands = executable->commands.of_nodes(step.first, step.end);
  const auto parameters =
      native::create_row_count_parameters(*executable, commands, WGPUBufferUsage_CopySrc);
  if (!parameters) return pass_on(parameters);
  return native::record_checked(
      *executable, *set,
      {.commands = commands, .parameters = *parameters, .node_timer = node_timer.get()}, encoder);
}

Execution::Execution(std::shared_ptr<State> state) : state_(std::move(state)) {}
Execution::Execution(Execution&&) noexcept = default;
Execution& Execution::operator=(Execution&&) noexcept = default;
Execution::~Execution() = default;

Progress Execution::progress() const { return state_ ? state_->progress : Progress{}; }
bool Execution::is_done() const { return !state_ || state_->is_done(); }

Result<Progress> Execution::encode_next(WGPUCommandEncoder encoder) {
  if (!state_) return fail(ErrorCode::invalid_argument, "The execution was moved from.");
  if (encoder == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null command encoder cannot be encoded into.");
  }
  const std::shared_ptr<State> state = state_;  // External work may let go of the execution.
  Executable::State& executable = *state->executable;
  if (state->is_done()) {
    return fail(ErrorCode::invalid_argument, concat("The execution is done: all of its steps (",
                                                    state->progress.steps, ") are recorded."));
  }
  if (executable.is_recording) {
    return fail(ErrorCode::invalid_argument,
                "External work asks for the next step of the execution that is just calling it.");
  }
  if (const auto alive = executable.device->check_alive(); !alive) return pass_on(alive);
  if (state->node_timer &&
      (state->node_timer->run != state->timer_run || state->node_timer->is_recording)) {
    return fail(ErrorCode::invalid_argument,
                "The node timer of the execution was given to another encode meanwhile.");
  }
  const PlanStep step = state->step();
  if (const auto checked = state->check_sources(step); !checked) return pass_on(checked);
  if (const auto recorded = state->record(step, encoder); !recorded) return pass_on(recorded);
  if (state->progress.steps_done == 0) native::note_outcomes(executable);
  state->advance();
  return state->progress;
}

Result<Execution> Executable::begin(const EncodeOptions& options) {
  if (!state_) return fail(ErrorCode::invalid_argument, "The executable was moved from.");
  if (options.timer != nullptr) {
    return fail(ErrorCode::invalid_argument,
                "An execution takes no timer, which has no meaning over steps; a node timer does.");
  }
  if (const auto free = native::check_free(*state_); !free) return pass_on(free);
  const auto timers = native::timers_of(*state_, options);
  if (!timers) return pass_on(timers);
  if (const auto resolved = native::resolve(*state_, options); !resolved) return pass_on(resolved);
  const auto set = native::find_or_create_binding_set(*state_);
  if (!set) return pass_on(set);
  auto execution = std::make_shared<Execution::State>(state_);
  execution->set = *set;
  execution->keep(options);
  execution->progress.steps =
      state_->plan.steps.empty() ? 1 : static_cast<std::uint32_t>(state_->plan.steps.size());
  if (timers->node_timer) {
    timers->node_timer->start(state_->plan.nodes.size());
    execution->node_timer = timers->node_timer;
    execution->timer_run = timers->node_timer->run;
  }
  state_->is_executing = true;
  return Execution(std::move(execution));
}

}  // namespace wgprim
