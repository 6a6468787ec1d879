// Recording: one walk over the passes of a plan, with at most one compute pass open.
#include "native/recorder.hpp"

#include <variant>

#include "native/timer_state.hpp"

namespace wgprim::native {
namespace {

class Recorder {
 public:
  Recorder(const Executable::State& executable, const BindingSet& set, const Timer::State* timer,
           WGPUCommandEncoder encoder)
      : executable_(executable), set_(set), timer_(timer), encoder_(encoder) {}

  void record_in(WGPUComputePassEncoder pass) {
    wgpuComputePassEncoderAddRef(pass);
    pass_.reset(pass);
    for (std::uint32_t i = 0; i < executable_.plan.dispatches.size(); ++i) {
      if (runs(executable_.plan.dispatches[i].node)) dispatch(i);
    }
  }

  bool record() {
    if (timer_ != nullptr) last_pass_ = count_passes();
    for (const PlanPass& pass : executable_.plan.passes) {
      std::visit([this](const auto& commands) { record(commands); }, pass);
    }
    end_pass();
    if (timer_ != nullptr && passes_begun_ > 0) resolve_timer();
    return passes_begun_ > 0;
  }

 private:
  bool runs(std::uint32_t node) const { return set_.key.active_nodes[node] != 0; }
  WGPUBuffer buffer(std::uint32_t index) const { return executable_.resolution.buffers[index]; }

  bool runs_any(const PlanComputePass& pass) const {
    for (std::uint32_t i = pass.first; i < pass.end; ++i) {
      if (runs(executable_.plan.dispatches[i].node)) return true;
    }
    return false;
  }

  /// How many compute passes the walk will open.
  std::uint32_t count_passes() const {
    std::uint32_t count = 0;
    bool is_open = false;
    for (const PlanPass& pass : executable_.plan.passes) {
      if (const auto* compute = std::get_if<PlanComputePass>(&pass)) {
        if (!is_open && runs_any(*compute)) count += 1, is_open = true;
      } else if (const auto* copy = std::get_if<PlanCopy>(&pass)) {
        is_open = is_open && !runs(copy->node);
      } else {
        is_open = is_open && !runs(std::get<PlanClear>(pass).node);
      }
    }
    return count;
  }

  void record(const PlanComputePass& pass) {
    for (std::uint32_t i = pass.first; i < pass.end; ++i) {
      if (runs(executable_.plan.dispatches[i].node)) dispatch(i);
    }
  }

  void record(const PlanCopy& copy) {
    if (!runs(copy.node)) return;
    end_pass();
    wgpuCommandEncoderCopyBufferToBuffer(encoder_, buffer(copy.source), copy.source_offset,
                                         buffer(copy.destination), copy.destination_offset,
                                         copy.bytes);
  }

  void record(const PlanClear& clear) {
    if (!runs(clear.node)) return;
    end_pass();
    wgpuCommandEncoderClearBuffer(encoder_, buffer(clear.buffer), clear.offset, clear.bytes);
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
      const auto [x, y, z] = dispatch.shape;
      wgpuComputePassEncoderDispatchWorkgroups(pass, x, y, z);
    }
    wgpuComputePassEncoderPopDebugGroup(pass);
  }

  void begin_pass() {
    if (pass_) return;
    ++passes_begun_;
    WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
    WGPUPassTimestampWrites times = WGPU_PASS_TIMESTAMP_WRITES_INIT;
    if (timer_ != nullptr && (passes_begun_ == 1 || passes_begun_ == last_pass_)) {
      times.querySet = timer_->queries.get();
      if (passes_begun_ == 1) times.beginningOfPassWriteIndex = Timer::State::kBegin;
      if (passes_begun_ == last_pass_) times.endOfPassWriteIndex = Timer::State::kEnd;
      descriptor.timestampWrites = &times;
    }
    pass_.reset(wgpuCommandEncoderBeginComputePass(encoder_, &descriptor));
    pipeline_ = nullptr;
  }

  void end_pass() {
    if (!pass_) return;
    wgpuComputePassEncoderEnd(pass_.get());
    pass_.reset();
  }

  void resolve_timer() {
    wgpuCommandEncoderResolveQuerySet(encoder_, timer_->queries.get(), 0, Timer::State::kQueries,
                                      timer_->resolved.get(), 0);
  }

  const Executable::State& executable_;
  const BindingSet& set_;
  const Timer::State* timer_;
  WGPUCommandEncoder encoder_;
  ComputePassHandle pass_;  ///< Null while none is open.
  WGPUComputePipeline pipeline_ = nullptr;
  std::uint32_t passes_begun_ = 0;
  std::uint32_t last_pass_ = 0;
};

}  // namespace

bool record(const Executable::State& executable, const BindingSet& set, const Timer::State* timer,
            WGPUCommandEncoder encoder) {
  return Recorder(executable, set, timer, encoder).record();
}

void record_in_pass(const Executable::State& executable, const BindingSet& set,
                    WGPUComputePassEncoder pass) {
  Recorder(executable, set, nullptr, nullptr).record_in(pass);
}

}  // namespace wgprim::native
