// Plans of random graphs on a device: each is taken by the executor and runs without a complaint of
// WebGPU. What they compute is the other tests' matter; kernels here may leave words unwritten.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "support/gpu_fixture.hpp"
#include "support/random_graph.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kAnyUsage = kUsageStorage | kUsageUniform | kUsageCopySource |
                                    kUsageCopyDestination | kUsageIndirect | kUsageVertex |
                                    kUsageIndex;

class RandomGraphTest : public GpuTest {
 protected:
  /// The graph of a seed for this device, or nothing where it contradicts itself.
  static std::optional<Plan> plan_of(std::uint64_t seed) {
    RandomGraph random = random_graph(seed);
    random.profile.capabilities = must(device().profile()).capabilities;
    auto plan = random.graph.compile(random.profile);
    if (!plan) return std::nullopt;
    return *std::move(plan);
  }

  /// Whether a count that a kernel left behind decides how many workgroups run: perhaps trillions.
  static bool is_unbounded(const Plan& plan) {
    return std::ranges::any_of(plan.dispatches,
                               [](const auto& dispatch) { return dispatch.indirect.has_value(); });
  }

  static Result<void> run_with_zeros(Executable& executable, bool condition) {
    const Plan& plan = executable.plan();
    std::vector<Buffer> buffers;
    for (const PlanBuffer& buffer : plan.buffers)
      buffers.push_back(must(device().create_buffer(buffer.bytes, kAnyUsage, buffer.id)));
    std::vector<Import> imports;
    std::vector<ExternalCall> externals;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      const PlanBuffer& buffer = plan.buffers[i];
      if (buffer.role == BufferRole::imported) imports.push_back({buffer.id, &buffers[i]});
    }
    std::vector<Parameter> parameters;
    for (const char* name : {"p", "q"}) {
      if (std::ranges::find(plan.nodes, name, &PlanNode::condition) != plan.nodes.end()) {
        parameters.push_back({name, condition});
      }
    }
    for (const PlanNode& node : plan.nodes) {
      if (node.operation == "external") externals.push_back({node.id, [](const auto&) {}});
    }
    return run(device(), executable,
               {.imports = imports, .parameters = parameters, .externals = externals});
  }
};

TEST_F(RandomGraphTest, every_plan_is_taken_and_runs) {
  int runs = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    auto plan = plan_of(seed);
    if (!plan) continue;
    auto executable = Executable::create(device(), *std::move(plan));
    ASSERT_TRUE(executable) << executable.error().message << " (seed " << seed << ")";
    if (is_unbounded(executable->plan())) continue;
    for (const bool condition : {true, false}) {
      const auto done = run_with_zeros(*executable, condition);
      ASSERT_TRUE(done) << done.error().message << " (seed " << seed << ")";
    }
    ++runs;
  }
  EXPECT_GT(runs, 30);
}

}  // namespace
}  // namespace wgprim::testing
