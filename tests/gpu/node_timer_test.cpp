// GPU times by node: which nodes get one, that only written timestamps are resolved (SwiftShader
// never returns from others), and that the steps of an execution add up.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "native/executable_state.hpp"
#include "native/timer_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace wgprim::testing {
namespace {

using Times = std::vector<std::optional<double>>;

class NodeTimes : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped()) log_ = make_log(device());
  }

  /// Encodes, submits and reads the times.
  Times timed(Executable& executable, NodeTimer& timer,
              std::span<const Parameter> parameters = {}) {
    Buffer copy = make_log(device());
    std::vector<Import> imports = {{"log", &*log_}};
    if (executable.plan().buffers.size() > 1) imports.push_back({"copy", &copy});
    const WGPUCommandEncoder encoder = make_encoder(device());
    must(executable.encode(encoder,
                           {.imports = imports, .parameters = parameters, .node_timer = &timer}));
    must(device().submit_and_wait(encoder, 0));
    return must(timer.read(device()));
  }

  static std::vector<bool> which(const Times& times) {
    std::vector<bool> timed;
    for (const auto& time : times) {
      EXPECT_GT(time.value_or(1), 0);
      timed.push_back(time.has_value());
    }
    return timed;
  }

  std::string refusal_of(Executable& executable, Timer* timer, NodeTimer* node_timer) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const Import imports[] = {{"log", &*log_}};
    const auto refused = executable.encode(
        encoder.get(), {.imports = imports, .timer = timer, .node_timer = node_timer});
    return refused ? std::string() : refused.error().message;
  }

  std::optional<Buffer> log_;
};

TEST_F(NodeTimes, contract_E_5_TimedNodesOpenOnePassEach) {
  Plan plan = log_plan(2);
  add_copy_node(plan);
  add_log_node(plan, "n3", "more");
  add_log_node(plan, "n4");
  Executable executable = must(Executable::create(device(), std::move(plan)));
  NodeTimer timer = must(NodeTimer::create(device(), 5));
  EXPECT_TRUE(must(timer.read(device())).empty()) << "Before the first encode.";
  const Parameter no[] = {{"more", false}}, yes[] = {{"more", true}};
  using Which = std::vector<bool>;
  EXPECT_EQ(which(timed(executable, timer, no)), (Which{true, true, false, false, true}));
  EXPECT_EQ(executable.state()->compute_passes, 3u);
  EXPECT_EQ(which(timed(executable, timer, yes)), (Which{true, true, false, true, true}));
  EXPECT_EQ(executable.state()->compute_passes, 4u);
  EXPECT_EQ(read_log(device(), *log_), (std::vector<std::uint32_t>{0, 1, 4, 0, 1, 3, 4}));
}

TEST_F(NodeTimes, ANodeOfSeveralPassesHasOneTime) {
  Plan plan = log_plan(3);
  add_copy_node(plan);
  plan.nodes.resize(2);
  plan.dispatches[1].node = plan.dispatches[2].node = 1;
  std::get<PlanCopy>(plan.passes[3]).node = 1;
  std::swap(plan.passes[2], plan.passes[3]);
  std::get<PlanComputePass>(plan.passes[3]) = {2, 3};
  Executable executable = must(Executable::create(device(), std::move(plan)));
  NodeTimer timer = must(NodeTimer::create(device(), 2));
  EXPECT_EQ(which(timed(executable, timer)), (std::vector<bool>{true, true}));
  EXPECT_EQ(executable.state()->compute_passes, 3u);
  EXPECT_EQ(timer.state()->timed_nodes.size(), 2u);
}

TEST_F(NodeTimes, MoreNodesThanOneQuerySetHolds) {
  constexpr std::uint32_t kNodes = NodeTimer::State::kPairsPerSet + 50;
  constexpr std::uint64_t kBytes = 4 * (1 + kNodes);
  Plan plan = log_plan(kNodes);
  plan.buffers[0].bytes = kBytes;
  for (PlanDispatch& dispatch : plan.dispatches)
    dispatch.bindings[0].bytes = kBytes;
  plan.nodes[1].condition = "second";
  Executable executable = must(Executable::create(device(), std::move(plan)));
  const auto created = device().creation_counts().buffers;
  log_ = make_buffer(device(), std::vector<std::uint32_t>(kBytes / 4, 0),
                     kUsageStorage | kUsageCopySource | kUsageCopyDestination | kUsageVertex);
  NodeTimer timer = must(NodeTimer::create(device(), kNodes + 7));
  EXPECT_EQ(device().creation_counts().buffers - created, 3u);
  const Parameter no[] = {{"second", false}};
  const Times times = timed(executable, timer, no);
  ASSERT_EQ(times.size(), kNodes);
  EXPECT_EQ(std::ranges::count(which(times), true), kNodes - 1);
  EXPECT_EQ(times[1], std::nullopt);
  EXPECT_TRUE(times.back());
}

TEST_F(NodeTimes, contract_B_1_TheStepsOfAnExecutionAddUp) {
  Plan plan = log_plan(5);
  plan.steps = {{0, 2}, {2, 3}, {3, 5}};
  Executable executable = must(Executable::create(device(), std::move(plan)));
  NodeTimer timer = must(NodeTimer::create(device(), 5));
  const Import imports[] = {{"log", &*log_}};
  Execution execution = must(executable.begin({.imports = imports, .node_timer = &timer}));
  EXPECT_EQ(which(must(timer.read(device()))), std::vector<bool>(5, false));
  std::vector<bool> expected(5, false);
  for (const PlanStep& step : executable.plan().steps) {
    const WGPUCommandEncoder encoder = make_encoder(device());
    must(execution.encode_next(encoder));
    must(device().submit_and_wait(encoder, 0));
    std::fill(expected.begin() + step.first, expected.begin() + step.end, true);
    EXPECT_EQ(which(must(timer.read(device()))), expected);
  }
}

TEST_F(NodeTimes, AnExecutionNoticesThatItsTimerIsTaken) {
  Plan plan = log_plan(2);
  plan.steps = {{0, 1}, {1, 2}};
  Executable executable = must(Executable::create(device(), std::move(plan)));
  Executable other = must(Executable::create(device(), log_plan(1)));
  NodeTimer timer = must(NodeTimer::create(device(), 2));
  const Import imports[] = {{"log", &*log_}};
  Execution execution = must(executable.begin({.imports = imports, .node_timer = &timer}));
  timed(other, timer);
  const native::CommandEncoderHandle encoder(make_encoder(device()));
  const auto refused = execution.encode_next(encoder.get());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "The node timer of the execution was given to another encode meanwhile.");
}

TEST_F(NodeTimes, MistakesAreNamed) {
  Executable executable = must(Executable::create(device(), log_plan(3)));
  Timer timer = must(Timer::create(device()));
  NodeTimer small = must(NodeTimer::create(device(), 2));
  NodeTimer fitting = must(NodeTimer::create(device(), 3));
  EXPECT_EQ(refusal_of(executable, &timer, &fitting),
            "An encode takes a timer or a node timer, not both.");
  EXPECT_EQ(refusal_of(executable, nullptr, &small),
            "The node timer was made for 2 nodes, fewer than the plan's 3.");
  const auto huge = NodeTimer::create(device(), 65'537);
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().message, "A node timer for 65537 nodes is asked for, more than 65536.");
  Device other = must(Device::create());
  NodeTimer foreign = must(NodeTimer::create(other, 3));
  constexpr const char* kForeign = "The timer was moved from or belongs to another device.";
  EXPECT_EQ(refusal_of(executable, nullptr, &foreign), kForeign);
  EXPECT_EQ(foreign.read(device()).error().message, kForeign);
  NodeTimer taken = std::move(small);
  EXPECT_EQ(refusal_of(executable, nullptr, &small), kForeign);  // NOLINT(bugprone-use-after-move)
  Device without = must(Device::create({.capabilities = {"timestamps=off"}}));
  EXPECT_EQ(NodeTimer::create(without, 1).error().code, ErrorCode::unsupported);
}

TEST_F(NodeTimes, ARefusedEncodeLeavesThemAsTheyWere) {
  Executable executable = must(Executable::create(device(), log_plan(2)));
  NodeTimer timer = must(NodeTimer::create(device(), 2));
  const Times before = timed(executable, timer);
  const native::CommandEncoderHandle encoder(make_encoder(device()));
  EXPECT_FALSE(executable.encode(encoder.get(), {.node_timer = &timer}));
  EXPECT_EQ(must(timer.read(device())), before);
}

TEST_F(NodeTimes, ARefusedEncodeLeavesThemToTheExecutionThatIsTimed) {
  Plan plan = log_plan(2);
  plan.steps = {{0, 1}, {1, 2}};
  Executable executable = must(Executable::create(device(), std::move(plan)));
  Executable other = must(Executable::create(device(), log_plan(1)));
  NodeTimer timer = must(NodeTimer::create(device(), 2));
  const Import imports[] = {{"log", &*log_}};
  Execution execution = must(executable.begin({.imports = imports, .node_timer = &timer}));
  const WGPUCommandEncoder encoder = make_encoder(device());
  must(execution.encode_next(encoder));
  EXPECT_FALSE(other.encode(encoder, {.node_timer = &timer})) << "It lacks its import.";
  must(execution.encode_next(encoder));
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(which(must(timer.read(device()))), (std::vector<bool>{true, true}));
}

}  // namespace
}  // namespace wgprim::testing
