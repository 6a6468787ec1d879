// Budgets (contract B-1): where a plan is cut, what a node costs.
#include "wgprim/budget.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <ostream>

#include "graph/node_work.hpp"
#include "support/graph_plans.hpp"

namespace wgprim {

// GoogleTest prints values by this name, found beside their type.
// NOLINTNEXTLINE(misc-definitions-in-headers)
static void PrintTo(const PlanStep& step, std::ostream* stream) {
  *stream << "[" << step.first << "," << step.end << ")" << (step.is_oversized ? " oversized" : "");
}

namespace testing {
namespace {

using Steps = std::vector<PlanStep>;

Steps steps_of(Plan plan, const Budget& budget) {
  const auto applied = apply_budget(plan, budget);
  EXPECT_TRUE(applied) << applied.error().message;
  return plan.steps;
}

TEST(BudgetTest, case_H01) {
  EXPECT_EQ(steps_of(plan_of_invocations({0, 300, 400, 900, 0}), {.invocations = 700}),
            (Steps{{0, 3}, {3, 4, true}, {4, 5}}));
}

TEST(BudgetTest, contract_B_1_the_sum_may_reach_a_bound_and_ends_the_step_there) {
  EXPECT_EQ(steps_of(plan_of_invocations({300, 400, 0, 1}), {.invocations = 700}),
            (Steps{{0, 2}, {2, 4}}));
  EXPECT_EQ(steps_of(plan_of_invocations({300, 401}), {.invocations = 700}),
            (Steps{{0, 1}, {1, 2}}));
  EXPECT_EQ(steps_of(plan_of_invocations({700, 700}), {.invocations = 700}),
            (Steps{{0, 1}, {1, 2}}));
}

TEST(BudgetTest, contract_B_1_an_oversized_node_runs_alone) {
  EXPECT_EQ(steps_of(plan_of_invocations({1, 701, 1}), {.invocations = 700}),
            (Steps{{0, 1}, {1, 2, true}, {2, 3}}));
  EXPECT_EQ(steps_of(plan_of_invocations({701, 702}), {.invocations = 700}),
            (Steps{{0, 1, true}, {1, 2, true}}));
}

TEST(BudgetTest, contract_B_1_each_bound_cuts_by_itself) {
  constexpr std::uint64_t kMuch = 1'000'000;
  const Plan plan = select_plan();  // Bytes read 4096, 4096, 4096, 4; one command a node.
  const Steps one_each{{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  EXPECT_EQ(steps_of(plan, {.invocations = kMuch}), (Steps{{0, 4}}));
  EXPECT_EQ(steps_of(plan, {.invocations = kMuch, .nodes = 3}), (Steps{{0, 3}, {3, 4}}));
  EXPECT_EQ(steps_of(plan, {.invocations = kMuch, .commands = 2}), (Steps{{0, 2}, {2, 4}}));
  EXPECT_EQ(steps_of(plan, {.invocations = kMuch, .read_bytes = 4099}),
            (Steps{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(steps_of(plan, {.invocations = kMuch, .read_bytes = 4100}),
            (Steps{{0, 1}, {1, 2}, {2, 4}}));
  EXPECT_EQ(steps_of(plan, {.invocations = kMuch, .written_bytes = 4096}), one_each);
  EXPECT_EQ(steps_of(plan, {.invocations = kMuch, .written_bytes = 4095}),
            (Steps{{0, 1, true}, {1, 2, true}, {2, 3, true}, {3, 4}}));
}

TEST(BudgetTest, contract_B_1_work_is_counted_by_command) {
  Plan plan = plan_of_invocations({512});
  plan.dispatches[0].workload = {2, 512, 100, 50};
  plan.dispatches[0].indirect = IndirectShape{};  // Counts what it was declared with.
  plan.buffers.resize(2);
  plan.passes.emplace_back(PlanCopy{.node = 0, .source = 0, .destination = 1, .bytes = 8});
  plan.passes.emplace_back(PlanClear{.node = 0, .buffer = 1, .bytes = 16});
  plan.passes.emplace_back(PlanExternal{.node = 0, .uses = {{0, 0, 64, kUsageVertex}}});
  const std::vector<NodeWork> work = node_work(plan);
  ASSERT_EQ(work.size(), 1U);
  EXPECT_EQ(work[0].commands, 4U);
  EXPECT_EQ(work[0].workload, (Workload{2, 512, 108, 74}));
  EXPECT_EQ(steps_of(plan, {.invocations = 511}), (Steps{{0, 1, true}}));
  EXPECT_EQ(steps_of(plan, {.invocations = 512}), (Steps{{0, 1}}));
}

TEST(BudgetTest, a_bound_of_nothing_is_refused_by_name) {
  const auto message_of = [](const Budget& budget) {
    Plan plan = plan_of_invocations({1});
    plan.steps = {{0, 1}};
    const auto applied = apply_budget(plan, budget);
    EXPECT_EQ(plan.steps.size(), 1U);  // As it was.
    return applied ? "" : applied.error().message;
  };
  EXPECT_EQ(message_of({}), "The budget allows 0 invocations a step; each bound is at least 1.");
  EXPECT_EQ(message_of({.invocations = 1, .nodes = 0}),
            "The budget allows 0 nodes a step; each bound is at least 1.");
  EXPECT_EQ(message_of({.invocations = 1, .commands = 0}),
            "The budget allows 0 commands a step; each bound is at least 1.");
  EXPECT_EQ(message_of({.invocations = 1, .read_bytes = 0}),
            "The budget allows 0 read_bytes a step; each bound is at least 1.");
  EXPECT_EQ(message_of({.invocations = 1, .written_bytes = 0}),
            "The budget allows 0 written_bytes a step; each bound is at least 1.");
}

TEST(BudgetTest, no_nodes_are_no_steps_and_a_second_budget_replaces_the_first) {
  EXPECT_EQ(steps_of(plan_of_invocations({}), {.invocations = 1}), Steps{});
  Plan plan = plan_of_invocations({1, 1});
  ASSERT_TRUE(apply_budget(plan, {.invocations = 1}));
  ASSERT_TRUE(apply_budget(plan, {.invocations = 2}));
  EXPECT_EQ(plan.steps, (Steps{{0, 2}}));
}

TEST(BudgetTest, sums_beyond_64_bits_do_not_wrap) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(steps_of(plan_of_invocations({kMost - 1, kMost - 1, 5}), {.invocations = kMost - 1}),
            (Steps{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(BudgetTest, bounds_are_set_by_name) {
  Budget budget;
  for (const char* bound :
       {"invocations=1", "nodes=2", "commands=3", "read_bytes=4", "written_bytes=5"}) {
    EXPECT_TRUE(set_bound(budget, bound)) << bound;
  }
  EXPECT_EQ(budget.invocations, 1u);
  EXPECT_EQ(budget.nodes, 2u);
  EXPECT_EQ(budget.commands, 3u);
  EXPECT_EQ(budget.read_bytes, 4u);
  EXPECT_EQ(budget.written_bytes, 5u);
}

TEST(BudgetTest, a_bound_that_is_none_is_refused) {
  const auto refusal = [](Budget budget, std::string_view bound) {
    return set_bound(budget, bound).error().message;
  };
  EXPECT_EQ(refusal({}, "time=1"),
            "There is no bound 'time' (invocations, nodes, commands, read_bytes, written_bytes).");
  EXPECT_EQ(refusal({}, "nodes=0"), "Bound 'nodes' is given as '0' (a positive number).");
  EXPECT_EQ(refusal({}, "nodes"), "Bound 'nodes' is given as '' (a positive number).");
  EXPECT_EQ(refusal({}, "nodes=-1"), "Bound 'nodes' is given as '-1' (a positive number).");
  EXPECT_EQ(refusal({.invocations = 7}, "invocations=7"),
            "The bound 'invocations' is given twice.");
  EXPECT_EQ(refusal({.nodes = 7}, "nodes=7"), "The bound 'nodes' is given twice.");
}

RC_GTEST_PROP(BudgetTest, contract_B_1_steps_are_contiguous_full_and_within_the_bounds, ()) {
  const auto invocations =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 10));
  const Budget budget{.invocations = *rc::gen::inRange<std::uint64_t>(1, 12),
                      .nodes = *rc::gen::inRange<std::uint64_t>(1, 5)};
  Plan plan = plan_of_invocations(invocations);
  RC_ASSERT(apply_budget(plan, budget).has_value());
  std::uint32_t next = 0;
  for (const PlanStep& step : plan.steps) {
    RC_ASSERT(step.first == next);
    RC_ASSERT(step.end > step.first);
    next = step.end;
    std::uint64_t sum = 0;
    for (std::uint32_t node = step.first; node < step.end; ++node)
      sum += invocations[node];
    RC_ASSERT(step.is_oversized == (sum > budget.invocations));
    RC_ASSERT(!step.is_oversized || step.end == step.first + 1);
    RC_ASSERT(step.end - step.first <= *budget.nodes);
    if (step.end == invocations.size()) continue;
    const bool is_full = sum >= budget.invocations || step.end - step.first == *budget.nodes ||
                         sum + invocations[step.end] > budget.invocations;
    RC_ASSERT(is_full);
  }
  RC_ASSERT(next == invocations.size());
}

}  // namespace
}  // namespace testing
}  // namespace wgprim
