// Recording: one walk over commands, with at most one compute pass open.
#include "native/recorder.hpp"

#include <optional>
#include <variant>

#include "native/row_counts.hpp"
#include "native/timer_state.hpp"

namespace wgprim::native {
namespace {

class Recorder {
 public:
  Recorder(Executable::State& executable, const BindingSet& set, const Recording& recording,
           WGPUCommandEncoder encoder, ErrorScope* scope)
      : executable_(executable),
        set_(set),
        recording_(recording),
        encoder_(encoder),
        scope_(scope) {}

  void record_in(WGPUComputePassEncoder pass) {
    wgpuComputePassEncoderAddRef(pass);
    pass_.reset(pass);
    for (const Command& command : recording_.commands) {
      if (runs(command)) dispatch(command.index);
    }
  }

  Result<std::uint32_t> record() {
    const std::size_t first_pair =
        recording_.node_timer == nullptr ? 0 : recording_.node_timer->timed_nodes.size();
    if (recording_.timer != nullptr) last_pass_ = count_passes(recording_.commands);
    copy_parameters();
    for (const Command& command : recording_.commands) {
      if (runs(command)) record(command);
      if (failure_) return std::unexpected(std::move(*failure_));
    }
    end_pass();
    if (recording_.timer != nullptr && passes_begun_ > 0) resolve_timer();
    if (recording_.node_timer != nullptr) recording_.node_timer->resolve(encoder_, first_pair);
    return passes_begun_;
  }

 private:
  WGPUBuffer buffer(std::uint32_t index) const { return executable_.resolution.buffers[index]; }

  /// What row counts make of a dispatch; nothing where they leave it as planned.
  std::optional<ExtentWork> extent_work(const PlanDispatch& dispatch) const {
    if (!set_.key.has_row_counts || !dispatch.extent) return std::nullopt;
    return work_of(*dispatch.extent, dispatch.shape, executable_.resolution.rows[dispatch.node]);
  }

  bool runs(const Command& command) const {
    if (set_.key.active_nodes[command.node] == 0) return false;
    if (command.kind != Command::Kind::dispatch) return true;
    const auto work = extent_work(executable_.plan.dispatches[command.index]);
    return !work || work->workgroups > 0;
  }

  /// How many compute passes the walk opens for commands that follow an end of a pass.
  std::uint32_t count_passes(std::span<const Command> commands) const {
    std::uint32_t count = 0;
    bool is_open = false;
    for (const Command& command : commands) {
      if (!runs(command)) continue;
      const bool is_dispatch = command.kind == Command::Kind::dispatch;
      if (is_dispatch && !is_open) ++count;
      is_open = is_dispatch;
    }
    return count;
  }

  void copy_parameters() const {
    for (const ParameterPiece& piece : recording_.parameters) {
      const auto& targets = executable_.row_count_parameters->buffers;
      wgpuCommandEncoderCopyBufferToBuffer(encoder_, piece.buffer.get(), 0,
                                           targets[piece.target].get(), piece.offset, piece.bytes);
    }
  }

  void record(const Command& command) {
    if (command.kind == Command::Kind::dispatch) {
      if (recording_.node_timer != nullptr) enter_node(command.node);
      return dispatch(command.index);
    }
    end_pass();
    const PlanPass& pass = executable_.plan.passes[command.index];
    if (const auto* copy = std::get_if<PlanCopy>(&pass)) {
      wgpuCommandEncoderCopyBufferToBuffer(encoder_, buffer(copy->source), copy->source_offset,
                                           buffer(copy->destination), copy->destination_offset,
                                           copy->bytes);
    } else if (const auto* clear = std::get_if<PlanClear>(&pass)) {
      wgpuCommandEncoderClearBuffer(encoder_, buffer(clear->buffer), clear->offset, clear->bytes);
    } else {
      call(std::get<PlanExternal>(pass));
    }
  }

  /// The caller's mistakes in its own calls are not ours to catch; an encoder that already refuses
  /// commands is not handed to it.
  void call(const PlanExternal& external) {
    failure_ = scope_->close(ErrorCode::invalid_argument, kEncoderRefuses);
    if (failure_) return;
    auto& buffers = executable_.resolution.external_buffers;
    buffers.clear();
    for (const PlanExternalUse& use : external.uses)
      buffers.push_back({buffer(use.buffer), use.offset, use.bytes});
    (*executable_.resolution.calls[external.node])({encoder_, buffers});
    scope_->open();
  }

  void dispatch(std::uint32_t index) {
    begin_pass();
    const PlanDispatch& dispatch = executable_.plan.dispatches[index];
    const WGPUComputePassEncoder pass = pass_.get();
    wgpuComputePassEncoderPushDebugGroup(pass, to_webgpu(dispatch.label));
    const WGPUComputePipeline pipeline = executable_.pipelines[dispatch.kernel]->pipeline.get();
    if (pipeline_ != pipeline) wgpuComputePassEncoderSetPipeline(pass, pipeline);
    pipeline_ = pipeline;
    wgpuComputePassEncoderSetBindGroup(pass, 0, set_.groups[index].get(), 0, nullptr);
    if (dispatch.indirect) {
      wgpuComputePassEncoderDispatchWorkgroupsIndirect(pass, buffer(dispatch.indirect->buffer),
                                                       dispatch.indirect->offset);
    } else {
      const auto work = extent_work(dispatch);
      const auto [x, y, z] = work ? work->shape : dispatch.shape;
      wgpuComputePassEncoderDispatchWorkgroups(pass, x, y, z);
    }
    wgpuComputePassEncoderPopDebugGroup(pass);
  }

  /// A timed node has its passes to itself.
  void enter_node(std::uint32_t node) {
    if (node_ == node) return;
    end_pass();
    node_ = node;
    pair_ = recording_.node_timer->add(node);
    node_begun_ = passes_begun_;
    node_passes_ = count_passes(executable_.commands.of_nodes(node, node + 1));
  }

  /// Which timestamps the pass that now begins writes.
  WGPUPassTimestampWrites timestamps() const {
    WGPUPassTimestampWrites times = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    if (recording_.node_timer != nullptr) {
      const std::uint32_t query = 2 * (pair_ % NodeTimer::State::kPairsPerSet);
      const std::uint32_t pass = passes_begun_ - node_begun_;
      times.querySet = recording_.node_timer->queries[pair_ / NodeTimer::State::kPairsPerSet].get();
      if (pass == 1) times.beginningOfPassWriteIndex = query;
      if (pass == node_passes_) times.endOfPassWriteIndex = query + 1;
    } else if (recording_.timer != nullptr) {
      times.querySet = recording_.timer->queries.get();
      if (passes_begun_ == 1) times.beginningOfPassWriteIndex = Timer::State::kBegin;
      if (passes_begun_ == last_pass_) times.endOfPassWriteIndex = Timer::State::kEnd;
    }
    return times;
  }

  void begin_pass() {
    if (pass_) return;
    ++passes_begun_;
    const WGPUPassTimestampWrites times = timestamps();
    WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    const bool is_timed = times.beginningOfPassWriteIndex != WGPU_QUERY_SET_INDEX_UNDEFINED ||
                          times.endOfPassWriteIndex != WGPU_QUERY_SET_INDEX_UNDEFINED;
    if (is_timed) descriptor.timestampWrites = &times;
    pass_.reset(wgpuCommandEncoderBeginComputePass(encoder_, &descriptor));
    pipeline_ = nullptr;
  }

  void end_pass() {
    if (!pass_) return;
    wgpuComputePassEncoderEnd(pass_.get());
    pass_.reset();
  }

  void resolve_timer() const {
    wgpuCommandEncoderResolveQuerySet(encoder_, recording_.timer->queries.get(), 0,
                                      Timer::State::kQueries, recording_.timer->resolved.get(), 0);
  }

  Executable::State& executable_;
  const BindingSet& set_;
  const Recording& recording_;
  WGPUCommandEncoder encoder_;
  ErrorScope* scope_;
  std::optional<Error> failure_;
  ComputePassHandle pass_;  ///< Null while none is open.
  WGPUComputePipeline pipeline_ = nullptr;
  std::uint32_t passes_begun_ = 0;
  std::uint32_t last_pass_ = 0;

  // Of the node that is being timed.
  std::optional<std::uint32_t> node_;
  std::uint32_t pair_ = 0;
  std::uint32_t node_begun_ = 0;   ///< Passes before it.
  std::uint32_t node_passes_ = 0;  ///< Passes of its own.
};

}  // namespace

Result<std::uint32_t> record(Executable::State& executable, const BindingSet& set,
                             const Recording& recording, WGPUCommandEncoder encoder,
                             ErrorScope& scope) {
  return Recorder(executable, set, recording, encoder, &scope).record();
}

void record_in_pass(Executable::State& executable, const BindingSet& set,
                    WGPUComputePassEncoder pass) {
  const Recording recording{.commands = executable.commands.all()};
  Recorder(executable, set, recording, nullptr, nullptr).record_in(pass);
}

}  // namespace wgprim::native
