// The slow oracles of graphs against what the contract and the case table say.
#include "support/graph_oracle.hpp"

#include <gtest/gtest.h>

namespace wgprim::testing {
namespace {

/// Nodes with reads, writes and dependencies, called "0", "1", ...
std::vector<NodeFacts> nodes_of(const std::vector<NodeFacts>& nodes) {
  std::vector<NodeFacts> named = nodes;
  for (std::size_t i = 0; i < named.size(); ++i)
    named[i].id = std::to_string(i);
  return named;
}

TEST(GraphOracleTest, case_G06) {
  const auto waits = waits_of(nodes_of({{.depends_on = {"1"}}, {}, {}, {.depends_on = {"0"}}}));
  ASSERT_TRUE(waits);
  EXPECT_EQ(order_in_waves(*waits), (NodeList{1, 2, 0, 3}));
}

TEST(GraphOracleTest, contract_H_1_readers_wait_for_the_writer_and_writers_for_readers_since) {
  const auto waits = waits_of(nodes_of({{.writes = {7}},
                                        {.reads = {7}},
                                        {.reads = {7}, .writes = {8}},
                                        {.writes = {7}},
                                        {.reads = {7}, .writes = {7}},
                                        {.reads = {7}}}));
  ASSERT_TRUE(waits);
  EXPECT_EQ(*waits, (std::vector<NodeList>{{}, {0}, {0}, {0, 1, 2}, {3}, {4}}));
}

TEST(GraphOracleTest, a_cycle_leaves_nodes_out_and_an_unknown_node_leaves_no_waits) {
  const auto waits = waits_of(nodes_of({{.depends_on = {"1"}}, {.depends_on = {"0"}}, {}}));
  ASSERT_TRUE(waits);
  EXPECT_EQ(order_in_waves(*waits), (NodeList{2}));
  EXPECT_FALSE(waits_of(nodes_of({{.depends_on = {"nobody"}}})));
}

TEST(GraphOracleTest, contract_CO_1_a_writer_must_run_whenever_its_reader_does) {
  const auto holds = [](const std::vector<NodeFacts>& nodes) {
    RandomGraph random;
    random.nodes = nodes_of(nodes);
    random.is_transient = {true};
    return reads_only_what_is_written(random);
  };
  EXPECT_TRUE(holds({{.writes = {0}}, {.reads = {0}, .condition = "p"}}));
  EXPECT_TRUE(holds({{.writes = {0}, .condition = "p"}, {.reads = {0}, .condition = "p"}}));
  EXPECT_FALSE(holds({{.writes = {0}, .condition = "p"}, {.reads = {0}}}));
  EXPECT_FALSE(holds({{.writes = {0}, .condition = "p"}, {.reads = {0}, .condition = "q"}}));
  EXPECT_FALSE(holds({{.reads = {0}, .writes = {0}}}));
  EXPECT_FALSE(holds({{.reads = {0}}, {.writes = {0}}}));
}

/// A plan whose commands are clears of these buffers, transients of these MiB.
Plan plan_of_clears(const std::vector<std::uint64_t>& mebibytes,
                    const std::vector<std::uint32_t>& cleared) {
  Plan plan;
  for (const std::uint64_t size : mebibytes)
    plan.buffers.push_back({.bytes = size << 20, .role = BufferRole::transient});
  for (const std::uint32_t buffer : cleared)
    plan.passes.emplace_back(PlanClear{.buffer = buffer});
  return plan;
}

TEST(GraphOracleTest, case_J12) {
  const Plan plan = plan_of_clears({8, 4, 6}, {0, 0, 1, 0, 1, 2, 2, 1, 2});
  const auto lives = lives_of(plan);
  ASSERT_EQ(lives.size(), 3u);
  EXPECT_EQ(lives[1].first, 2u);
  EXPECT_EQ(lives[1].last, 7u);
  EXPECT_TRUE(lives[1].begins_with_write);
  EXPECT_EQ(scratch_by_growing_slots(plan, lives), std::uint64_t{12} << 20);
}

TEST(GraphOracleTest, case_G01) {
  const Plan plan = plan_of_clears({64, 128}, {0, 1, 1});
  EXPECT_EQ(scratch_by_growing_slots(plan, lives_of(plan)), std::uint64_t{128} << 20);
}

}  // namespace
}  // namespace wgprim::testing
