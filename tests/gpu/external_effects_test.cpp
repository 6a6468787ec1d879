// External work that pulls the rug away: what the encode that calls it uses stays until the encode
// has ended, and what it throws leaves everything usable.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <stdexcept>

#include "native/buffer_state.hpp"
#include "native/executable_state.hpp"
#include "native/timer_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

/// Nodes "n0", "outside", "n2", "aside" and "wipe": what follows the external work dispatches,
/// copies from one import to another and clears that.
Plan rug_plan() {
  Plan plan = log_plan(1);
  add_external_node(plan);
  add_log_node(plan, "n2");
  add_copy_node(plan);
  add_clear_node(plan);
  return plan;
}

class ExternalEffects : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    executable_ = must(Executable::create(device(), rug_plan()));
    log_ = make_log(device());
    copy_ = make_log(device());
  }

  std::vector<Import> imports() const { return {{"log", &*log_}, {"copy", &*copy_}}; }

  Result<void> encode(WGPUCommandEncoder encoder, const std::function<void()>& work,
                      NodeTimer* timer = nullptr) {
    const auto given = imports();
    const ExternalCall calls[] = {{"outside", [&](const ExternalWork&) { work(); }}};
    return executable_->encode(encoder,
                               {.imports = given, .externals = calls, .node_timer = timer});
  }

  /// New buffers, where a freed handle's memory may be used again.
  void fill_freed_memory() {
    for (int i = 0; i < 64; ++i)
      others_.push_back(must(device().create_buffer(4, kUsageStorage, "other")));
  }

  std::optional<Executable> executable_;
  std::optional<Execution> execution_;
  std::optional<Buffer> log_, copy_;
  std::vector<Buffer> others_;
};

TEST_F(ExternalEffects, ADestroyedImportStaysUntilTheEncodeHasEnded) {
  const std::weak_ptr<Buffer::State> watched = copy_->state();
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, [&] {
    copy_->destroy();
    fill_freed_memory();
  }));
  EXPECT_TRUE(executable_->state()->resolution.held.empty());
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
  const WGPUCommandEncoder next = make_encoder(device());
  EXPECT_FALSE(encode(next, [] {})) << "From then on it is refused.";
  copy_ = make_log(device());
  must(encode(next, [] {}));
  must(device().submit_and_wait(next, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2, 0, 2}));
}

TEST_F(ExternalEffects, ADefaultIsNotSetMeanwhile) {
  const Buffer other = make_log(device());
  must(executable_->set_default({"copy", &*copy_}));
  std::string refusal;
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, [&] {
    const auto refused = executable_->set_default({"copy", &other});
    if (!refused) refusal = refused.error().message;
  }));
  EXPECT_EQ(refusal, "External work sets a default of the executable that is just calling it.");
  must(executable_->set_default({"copy", &other}));
  must(device().submit_and_wait(encoder, 0));
}

TEST_F(ExternalEffects, TheExecutableStaysUntilTheEncodeHasEnded) {
  const std::weak_ptr<Executable::State> watched = executable_->state();
  const auto given = imports();
  const ExternalCall calls[] = {{"outside", [&](const ExternalWork&) {
                                   executable_.reset();
                                   EXPECT_FALSE(watched.expired());
                                 }}};
  std::optional<double> gpu_ns;
  must(run(device(), *executable_, {.imports = given, .externals = calls}, &gpu_ns));
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
}

TEST_F(ExternalEffects, TheTimerStaysUntilTheEncodeHasEnded) {
  std::optional<NodeTimer> timer = must(NodeTimer::create(device(), 5));
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, [&] { timer.reset(); }, &*timer));
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
}

TEST_F(ExternalEffects, TheExecutionStaysUntilTheStepHasEnded) {
  const auto given = imports();
  const ExternalCall calls[] = {{"outside", [&](const ExternalWork&) {
                                   copy_->destroy();
                                   execution_.reset();
                                   fill_freed_memory();
                                 }}};
  execution_ = must(executable_->begin({.imports = given, .externals = calls}));
  const WGPUCommandEncoder encoder = make_encoder(device());
  const auto progress = execution_->encode_next(encoder);
  EXPECT_EQ(must(progress).steps_done, 1u);
  EXPECT_FALSE(executable_->state()->is_executing);
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
}

TEST_F(ExternalEffects, AStepHoldsNothingOfOtherSteps) {
  Plan plan = log_plan(0);
  add_clear_node(plan);
  add_external_node(plan);
  plan.steps = {{0, 1}, {1, 2}};
  executable_ = must(Executable::create(device(), std::move(plan)));
  const auto given = imports();
  const ExternalCall calls[] = {{"outside", [](const ExternalWork&) {}}};
  execution_ = must(executable_->begin({.imports = given, .externals = calls}));
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(execution_->encode_next(encoder));
  copy_->destroy();
  fill_freed_memory();
  must(execution_->encode_next(encoder));
  must(device().submit_and_wait(encoder, 0));
}

TEST_F(ExternalEffects, WhatIsThrownPassesThroughAndLeavesAllUsable) {
  NodeTimer timer = must(NodeTimer::create(device(), 5));
  {
    const native::CommandEncoderHandle given_up(make_encoder(device()));
    const auto throwing = [] { throw std::runtime_error("no more vertices"); };
    EXPECT_THROW(static_cast<void>(encode(given_up.get(), throwing, &timer)), std::runtime_error);
  }
  EXPECT_TRUE(timer.state()->timed_nodes.empty());
  EXPECT_FALSE(timer.state()->is_recording);
  EXPECT_TRUE(executable_->state()->resolution.held.empty());
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(encode(encoder, [] {}, &timer));
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
  const auto times = must(timer.read(device()));
  EXPECT_TRUE(times[0] && times[2]);
  EXPECT_FALSE(times[1] || times[3] || times[4]);
}

TEST_F(ExternalEffects, AStepWhoseWorkThrowsCanBeEncodedAgain) {
  Plan plan = rug_plan();
  plan.steps = {{0, 1}, {1, 5}};
  executable_ = must(Executable::create(device(), std::move(plan)));
  NodeTimer timer = must(NodeTimer::create(device(), 5));
  bool has_thrown = false;
  const auto given = imports();
  const ExternalCall calls[] = {{"outside", [&](const ExternalWork&) {
                                   if (!std::exchange(has_thrown, true)) throw 1;
                                 }}};
  execution_ =
      must(executable_->begin({.imports = given, .externals = calls, .node_timer = &timer}));
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(execution_->encode_next(encoder));
  EXPECT_THROW(static_cast<void>(execution_->encode_next(encoder)), int);
  EXPECT_EQ(execution_->progress().steps_done, 1u);
  EXPECT_EQ(timer.state()->timed_nodes.size(), 1u);
  must(execution_->encode_next(encoder));
  EXPECT_TRUE(execution_->is_done());
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
}

}  // namespace
}  // namespace wgprim::testing
