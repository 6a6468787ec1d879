// Executions: a plan recorded step by step, all of it with what was given at the start.
#include <gtest/gtest.h>

#include <optional>

#include "native/buffer_state.hpp"
#include "native/executable_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

/// Case H01: five nodes of 0, 300, 400, 900 and 0 invocations under a budget of 700.
Plan stepped_plan() {
  Plan plan = log_plan(5);
  plan.steps = {{0, 3}, {3, 4, true}, {4, 5}};
  return plan;
}

class Executions : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    executable_ = must(Executable::create(device(), stepped_plan()));
    log_ = make_log(device());
  }

  std::vector<Import> imports() const { return {{"log", &*log_}}; }

  /// Records a step, submits it, waits.
  Progress run_next(Execution& execution) {
    const WGPUCommandEncoder encoder = make_encoder(device());
    const Progress progress = must(execution.encode_next(encoder));
    must(device().submit_and_wait(encoder, 0));
    return progress;
  }

  /// The message of a refused step.
  std::string refusal_of(Execution& execution) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const auto refused = execution.encode_next(encoder.get());
    return refused ? std::string() : refused.error().message;
  }

  std::string refusal_to_encode() {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const auto refused = executable_->encode(encoder.get(), {.imports = imports()});
    return refused ? std::string() : refused.error().message;
  }

  std::optional<Executable> executable_;
  std::optional<Buffer> log_;
};

constexpr const char* kInProgress =
    "An execution of the executable is in progress; it ends with its last step, or when it goes.";

TEST_F(Executions, case_H01_H02_StepsAndProgress) {
  Execution execution = must(executable_->begin({.imports = imports()}));
  EXPECT_EQ(execution.progress().fraction(), 0.0);
  EXPECT_EQ(run_next(execution).fraction(), 1.0 / 3.0);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2}));
  EXPECT_EQ(run_next(execution).fraction(), 2.0 / 3.0);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2, 3}));
  EXPECT_FALSE(execution.is_done());
  EXPECT_EQ(run_next(execution).fraction(), 1.0);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2, 3, 4}));
  EXPECT_TRUE(execution.is_done());
  EXPECT_EQ(refusal_of(execution), "The execution is done: all of its steps (3) are recorded.");
}

TEST_F(Executions, contract_B_1_WithoutABudgetThereIsOneStep) {
  executable_ = must(Executable::create(device(), log_plan(4)));
  Execution execution = must(executable_->begin({.imports = imports()}));
  EXPECT_EQ(run_next(execution).fraction(), 1.0);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2, 3}));
}

TEST_F(Executions, contract_B_1_OneAtATime) {
  std::optional<Execution> execution = must(executable_->begin({.imports = imports()}));
  EXPECT_EQ(refusal_to_encode(), kInProgress);
  const auto second = executable_->begin({.imports = imports()});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, kInProgress);
  run_next(*execution);
  EXPECT_EQ(refusal_to_encode(), kInProgress);
  execution.reset();
  EXPECT_EQ(refusal_to_encode(), "") << "An execution that goes frees its claim.";
  execution = must(executable_->begin({.imports = imports()}));
  for (int step = 0; step < 3; ++step)
    run_next(*execution);
  EXPECT_EQ(refusal_to_encode(), "") << "So does one that is done.";
  EXPECT_TRUE(executable_->begin({.imports = imports()}));
}

TEST_F(Executions, contract_E_6_HoldNothingOnceTheyAreDone) {
  Execution execution = must(executable_->begin({.imports = imports()}));
  const std::weak_ptr<Buffer::State> watched = log_->state();
  log_.reset();
  for (int step = 0; step < 3; ++step) {
    EXPECT_FALSE(watched.expired());
    run_next(execution);
  }
  EXPECT_TRUE(watched.expired());
}

TEST_F(Executions, MovedOnesCarryTheClaim) {
  Execution first = must(executable_->begin({.imports = imports()}));
  Execution second = std::move(first);
  EXPECT_EQ(refusal_of(first), "The execution was moved from.");  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(refusal_to_encode(), kInProgress);
  EXPECT_EQ(run_next(second).steps_done, 1u);
  Executable other = must(Executable::create(device(), log_plan(1)));
  second = must(other.begin({.imports = imports()}));
  EXPECT_EQ(refusal_to_encode(), "") << "Assigned over, it has gone.";
}

TEST_F(Executions, contract_B_1_AFailingStepDoesNotAdvance) {
  Plan plan = stepped_plan();
  plan.buffers.push_back({.id = "second", .bytes = kLogBytes, .usage = kUsageStorage});
  plan.dispatches[3].bindings[0].buffer = 1;
  executable_ = must(Executable::create(device(), std::move(plan)));
  Buffer second = make_log(device());
  const Import all[] = {{"log", &*log_}, {"second", &second}};
  Execution execution = must(executable_->begin({.imports = all}));
  run_next(execution);
  second.destroy();
  EXPECT_EQ(refusal_of(execution), "The buffer given as 'second' is destroyed.");
  EXPECT_EQ(refusal_of(execution), "The buffer given as 'second' is destroyed.");
  EXPECT_EQ(execution.progress().steps_done, 1u);
  const auto null = execution.encode_next(nullptr);
  EXPECT_FALSE(null);
  EXPECT_EQ(execution.progress().steps_done, 1u);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2})) << "Refused steps have recorded nothing.";
}

TEST_F(Executions, AStepThatFailsCanBeEncodedAgain) {
  const auto bare = raw_buffer(device(), kLogBytes,
                               WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc |
                                   WGPUBufferUsage_CopyDst | WGPUBufferUsage_Vertex);
  const Import given[] = {{"log", bare.get()}};
  Execution execution = must(executable_->begin({.imports = given}));
  const native::CommandEncoderHandle finished(make_encoder(device()));
  const native::CommandBufferHandle commands(wgpuCommandEncoderFinish(finished.get(), nullptr));
  EXPECT_FALSE(execution.encode_next(finished.get()));
  for (int step = 0; step < 3; ++step)
    run_next(execution);
  Buffer log = must(Buffer::adopt(device(), bare.get()));
  EXPECT_EQ(read_log(device(), log), (Words{0, 1, 2, 3, 4}));
}

TEST_F(Executions, BuffersThatOnlyEarlierStepsUsedMayGo) {
  Plan plan = stepped_plan();
  plan.buffers.push_back({.id = "early", .bytes = kLogBytes, .usage = kUsageStorage});
  plan.dispatches[0].bindings[0].buffer = 1;
  executable_ = must(Executable::create(device(), std::move(plan)));
  Buffer early = make_log(device());
  const Import all[] = {{"log", &*log_}, {"early", &early}};
  Execution execution = must(executable_->begin({.imports = all}));
  run_next(execution);
  early.destroy();
  run_next(execution);
  EXPECT_EQ(run_next(execution).fraction(), 1.0);
  EXPECT_EQ(read_log(device(), *log_), (Words{1, 2, 3, 4}));
}

TEST_F(Executions, contract_B_1_KeepWhatWasGivenAtTheStart) {
  Plan plan = stepped_plan();
  plan.nodes[4].condition = "last";
  plan.steps = {{0, 2}, {2, 5}};
  executable_ = must(Executable::create(device(), std::move(plan)));
  Buffer other = make_log(device());
  must(executable_->set_default({"log", &*log_}));
  std::optional<Execution> execution;
  {
    std::string name = "last";
    const Parameter parameters[] = {{name, true}};
    execution = must(executable_->begin({.parameters = parameters}));
    name = "gone";
  }
  must(executable_->set_default({"log", &other}));
  run_next(*execution);
  run_next(*execution);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2, 3, 4}));
  EXPECT_EQ(read_log(device(), other), Words{});
}

TEST_F(Executions, HoldTheirBuffersAndCalls) {
  Plan plan = log_plan(1);
  add_external_node(plan);
  add_log_node(plan, "n2");
  plan.steps = {{0, 1}, {1, 2}, {2, 3}};
  executable_ = must(Executable::create(device(), std::move(plan)));
  int calls = 0;
  std::optional<Buffer> given = log_;
  std::optional<Execution> execution;
  {
    std::vector<ExternalCall> externals = {{"outside", [&](const ExternalWork&) { ++calls; }}};
    const Import imports[] = {{"log", &*given}};
    execution = must(executable_->begin({.imports = imports, .externals = externals}));
    externals.clear();
  }
  given.reset();
  for (int step = 0; step < 3; ++step)
    run_next(*execution);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 2}));
}

TEST_F(Executions, contract_CO_3_OutcomesCoverAllNodesAndSkippedStepsCount) {
  Plan plan = stepped_plan();
  plan.nodes[3].condition = "big";
  executable_ = must(Executable::create(device(), std::move(plan)));
  const Parameter parameters[] = {{"big", false}};
  Execution execution = must(executable_->begin({.imports = imports(), .parameters = parameters}));
  EXPECT_EQ(run_next(execution).steps_done, 1u);
  EXPECT_EQ(run_next(execution).steps_done, 2u);
  EXPECT_EQ(run_next(execution).steps_done, 3u);
  const auto outcomes = executable_->outcomes();
  ASSERT_EQ(outcomes.size(), 5u);
  EXPECT_EQ(outcomes[3], Outcome::skipped);
  EXPECT_EQ(outcomes[4], Outcome::executed);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2, 4}));
}

TEST_F(Executions, contract_SC_16_RowCountsHoldOverSteps) {
  Plan plan = counted_plan();
  plan.nodes.push_back(plan.nodes[0]);
  plan.nodes[1].id = "again";
  plan.dispatches[1].node = 1;
  plan.dispatches.push_back(plan.dispatches[1]);
  plan.dispatches[2].shape = {13, 1, 1};
  plan.passes = {PlanComputePass{0, 2}, PlanComputePass{2, 3}};
  plan.steps = {{0, 1}, {1, 2}};
  executable_ = must(Executable::create(device(), std::move(plan)));
  Buffer out = make_buffer(device(), Words(kCountedRows, 77));
  const Import given[] = {{"out", &out}};
  const RowCount counts[] = {{"number", 40}, {"again", 700}};
  Execution execution = must(executable_->begin({.imports = given, .row_counts = counts}));
  run_next(execution);
  EXPECT_EQ(read_words(device(), out, kCountedRows), counted_rows(40, 77));
  run_next(execution);
  Words expected = counted_rows(40, 77);
  for (std::uint32_t i = 600; i < 700; ++i)
    expected[i] = 7 * i + 1;
  EXPECT_EQ(read_words(device(), out, kCountedRows), expected);
}

TEST_F(Executions, RefuseWhatAnEncodeRefusesAndATimer) {
  EXPECT_FALSE(executable_->begin({}));
  Timer timer = must(Timer::create(device()));
  const auto refused = executable_->begin({.imports = imports(), .timer = &timer});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "An execution takes no timer, which has no meaning over steps; a node timer does.");
  EXPECT_EQ(refusal_to_encode(), "") << "A refused begin makes no claim.";
}

TEST_F(Executions, OutliveTheirExecutable) {
  Execution execution = must(executable_->begin({.imports = imports()}));
  executable_.reset();
  for (int step = 0; step < 3; ++step)
    run_next(execution);
  EXPECT_EQ(read_log(device(), *log_), (Words{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace wgprim::testing
