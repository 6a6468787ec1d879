// The plan check on what graphs add to plans: nodes and steps, external work, extents, the order of
// commands, entry points.
#include <gtest/gtest.h>

#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"
#include "support/plan_damage.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

/// Nodes "n0", "outside", "n2" and "aside" in two steps.
Plan sound_plan() {
  Plan plan = log_plan(1);
  add_external_node(plan);
  add_log_node(plan, "n2");
  add_copy_node(plan);
  plan.nodes[2].after = {0, 1};
  plan.nodes[2].reads = {0};
  plan.nodes[2].writes = {0};
  plan.steps = {{0, 3}, {3, 4}};
  return plan;
}

PlanExternal& external_of(Plan& plan) { return std::get<PlanExternal>(plan.passes[1]); }

TEST(PlanCheck, NamesWhatIsWrongWithNodesAndSteps) {
  expect_faults(sound_plan(),
                {{"two nodes are called 'n0'", [](Plan& p) { p.nodes[2].id = "n0"; }},
                 {"node 'n2' runs after node 2 of 2", [](Plan& p) { p.nodes[2].after = {2}; }},
                 {"node 'n2' runs after node 9 of 2", [](Plan& p) { p.nodes[2].after = {0, 9}; }},
                 {"node 'n2' reads buffer 2 of 2", [](Plan& p) { p.nodes[2].reads = {2}; }},
                 {"node 'n2' writes buffer 7 of 2", [](Plan& p) { p.nodes[2].writes = {7}; }},
                 {"no step holds node 3 of 4", [](Plan& p) { p.steps.pop_back(); }},
                 {"nodes from 2 to 4 where 3 is the next", [](Plan& p) { p.steps[1].first = 2; }},
                 {"nodes from 3 to 5 where 3 is the next", [](Plan& p) { p.steps[1].end = 5; }},
                 {"nodes from 3 to 3 where 3 is the next", [](Plan& p) { p.steps[1].end = 3; }}});
}

TEST(PlanCheck, NamesWhatIsWrongWithExternalWorkAndOrder) {
  expect_faults(
      sound_plan(),
      {{"external work has node 9", [](Plan& p) { external_of(p).node = 9; }},
       {"external work of node 'outside' uses buffer 9",
        [](Plan& p) { external_of(p).uses[0].buffer = 9; }},
       {"uses 8 bytes at offset 18446744073709551612",
        [](Plan& p) { external_of(p).uses[0].offset = kMost - 3; }},
       {"as index", [](Plan& p) { external_of(p).uses[0].usage = kUsageIndex; }},
       {"with usage 48, which is not one usage flag",
        [](Plan& p) { external_of(p).uses[0].usage = kUsageVertex | kUsageIndirect; }},
       {"with usage 0, which is not one", [](Plan& p) { external_of(p).uses[0].usage = 0; }},
       {"with usage 128, which is not one", [](Plan& p) { external_of(p).uses[0].usage = 128; }},
       {"node 'outside' has external work twice",
        [](Plan& p) { p.passes.insert(p.passes.begin() + 1, p.passes[1]); }},
       {"a dispatch of node 'n0' comes after work of node 'outside', which runs later",
        [](Plan& p) { p.dispatches[1].node = 0; }},
       {"external work of node 'outside' comes after work of node 'n2'",
        [](Plan& p) { std::swap(p.passes[1], p.passes[2]); }},
       {"a copy of node 'n0' comes after",
        [](Plan& p) { std::get<PlanCopy>(p.passes[3]).node = 0; }}});
  Plan empty_view = sound_plan();
  external_of(empty_view).uses[0].bytes = 0;
  external_of(empty_view).uses[0].offset = kLogBytes;
  EXPECT_EQ(plan_fault(empty_view), "sound");
}

TEST(PlanCheck, NamesWhatIsWrongWithExtents) {
  expect_faults(
      counted_plan(),
      {{"which node 'number' does not take", [](Plan& p) { p.nodes[0].row_capacity.reset(); }},
       {"items of 0 rows", [](Plan& p) { p.dispatches[0].extent->rows_per_item = 0; }},
       {"0 a workgroup", [](Plan& p) { p.dispatches[0].extent->items_per_workgroup = 0; }},
       {"with 1 parameter words", [](Plan& p) { p.dispatches[0].parameters = {1}; }},
       {"an indirect shape",
        [](Plan& p) {
          p.buffers.push_back({.id = "record", .bytes = 12, .usage = kUsageIndirect});
          p.dispatches[0].indirect = IndirectShape{1, 0};
        }},
       {"769 items in 25 workgroups", [](Plan& p) { p.dispatches[0].extent->items = 769; }},
       {"more than its shape launches", [](Plan& p) { p.dispatches[0].shape[1] = 0; }},
       {"more than its shape launches",
        [](Plan& p) { p.dispatches[0].extent = PlanExtent{0, kMost, 1, 0xffffffff}; }}});
  Plan full = counted_plan();
  full.dispatches[0].extent->items = 768;
  full.dispatches[1].extent->first_item = kMost;
  EXPECT_EQ(plan_fault(full), "sound");
}

class EntryPoints : public GpuTest {
 protected:
  Result<Executable> make(std::string entry_point) {
    Plan plan = log_plan(1);
    plan.kernels[0].wgsl +=
        "@compute @workgroup_size(1)\nfn append_twice() { log[0] = 2u; log[1] = 8u; log[2] = 9u; }";
    plan.kernels[0].entry_point = std::move(entry_point);
    return Executable::create(device(), std::move(plan));
  }
};

TEST_F(EntryPoints, AreChosenByName) {
  Buffer log = make_log(device());
  const Import imports[] = {{"log", &log}};
  Executable once = must(make("append_number"));
  run_once(device(), once, imports);
  EXPECT_EQ(read_log(device(), log), (std::vector<std::uint32_t>{0}));
  Executable twice = must(make("append_twice"));
  run_once(device(), twice, imports);
  EXPECT_EQ(read_log(device(), log), (std::vector<std::uint32_t>{8, 9}));
}

TEST_F(EntryPoints, UnknownAndAmbiguousNamesAreErrors) {
  for (const char* name : {"append_thrice", ""}) {
    const auto made = make(name);
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(made.error().message.starts_with("Kernel 'append_number': The WGSL has "))
        << made.error().message;
  }
}

TEST_F(EntryPoints, WorkgroupsThatConstantsMakeTooLargeAreErrors) {
  Plan plan = log_plan(1);
  plan.kernels[0].wgsl =
      "override WIDE: u32 = 1; @group(0) @binding(1) var<storage, read_write> log: array<u32>;\n"
      "@compute @workgroup_size(WIDE, 2, 1)\nfn append_number() { log[0] = 1u; }";
  plan.kernels[0].constants = {{"WIDE", 100'000}};
  const auto made = Executable::create(device(), plan);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::limit_exceeded);
  plan.kernels[0].constants = {{"WIDE", 4}};
  EXPECT_TRUE(Executable::create(device(), plan));
}

}  // namespace
}  // namespace wgprim::testing
