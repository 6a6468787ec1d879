// The graph: declarations, uses, order, conditions, transients (contract 8.1 to 8.3, CO-1, CO-2).
#include "wgprim/graph.hpp"

#include <gtest/gtest.h>

#include "support/graphs.hpp"

namespace wgprim::testing {
namespace {

TEST(GraphTest, case_G06) {
  Graph graph;
  ASSERT_TRUE(graph.add(noop("first", {"second"})));
  ASSERT_TRUE(graph.add(noop("second")));
  ASSERT_TRUE(graph.add(noop("third")));
  ASSERT_TRUE(graph.add(noop("fourth", {"first"})));
  EXPECT_EQ(order_of(graph), "second third first fourth");
}

TEST(GraphTest, case_G08_a_cycle_names_its_nodes) {
  Graph graph;
  ASSERT_TRUE(graph.add(noop("outside", {"a"})));
  ASSERT_TRUE(graph.add(noop("a", {"b"})));
  ASSERT_TRUE(graph.add(noop("b", {"a"})));
  expect_error(graph.compile({}), ErrorCode::invalid_graph,
               "Nodes wait for each other in a cycle: 'a' -> 'b' -> 'a'.");
}

TEST(GraphTest, case_G08_an_unknown_dependency) {
  Graph graph;
  ASSERT_TRUE(graph.add(noop("a", {"nobody"})));
  expect_error(graph.compile({}), ErrorCode::invalid_graph,
               "Node 'a' depends on 'nobody', which is no node.");
}

TEST(GraphTest, contract_H_1_a_node_that_depends_on_itself_is_a_cycle) {
  Graph graph;
  ASSERT_TRUE(graph.add(noop("a", {"a"})));
  expect_error(graph.compile({}), ErrorCode::invalid_graph,
               "Nodes wait for each other in a cycle: 'a' -> 'a'.");
}

TEST(GraphTest, contract_H_1_long_cycles_are_told_briefly) {
  Graph graph;
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(graph.add(noop(std::to_string(i), {std::to_string((i + 1) % 1000)})));
  const auto plan = graph.compile({});
  ASSERT_FALSE(plan);
  EXPECT_LT(plan.error().message.size(), 400u);
  EXPECT_NE(plan.error().message.find("(1000 nodes)"), std::string::npos);
}

TEST(GraphTest, contract_H_1_readers_wait_for_the_writer_and_the_next_writer_for_them) {
  Graph graph;
  const DataView a = imported(graph, "a", 16);
  const DataView b = imported(graph, "b", 16);
  ASSERT_TRUE(graph.add(Clear{.id = "write", .destination = a}));
  ASSERT_TRUE(graph.add(Copy{.id = "read", .source = a, .destination = b}));
  ASSERT_TRUE(graph.add(noop("apart")));
  ASSERT_TRUE(graph.add(Clear{.id = "rewrite", .destination = a}));
  const auto plan = graph.compile({}).value();
  EXPECT_EQ(order_of(plan), "write apart read rewrite");
  EXPECT_EQ(plan.nodes[2].after, std::vector<std::uint32_t>{0});
  EXPECT_EQ(plan.nodes[3].after, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(plan.nodes[2].reads, std::vector<std::uint32_t>{a.buffer.index});
  EXPECT_EQ(plan.nodes[2].writes, std::vector<std::uint32_t>{b.buffer.index});
}

TEST(GraphTest, contract_G_1_ids_are_unique_and_not_empty) {
  Graph graph;
  imported(graph, "a", 16);
  expect_error(graph.import_buffer({.id = ""}), ErrorCode::invalid_graph, "Buffer id is empty.");
  expect_error(graph.declare_transient({.id = "a"}), ErrorCode::invalid_graph,
               "Buffer id 'a' is taken already.");
  expect_error(graph.name_view("a", {}), ErrorCode::invalid_graph, "View id 'a' is taken already.");
  ASSERT_TRUE(graph.add(noop("n")));
  expect_error(graph.add(noop("n")), ErrorCode::invalid_graph, "Node id 'n' is taken already.");
  expect_error(graph.add(noop("")), ErrorCode::invalid_graph, "Node id is empty.");
}

TEST(GraphTest, contract_G_1_a_transient_takes_one_row_at_least) {
  Graph graph;
  ASSERT_TRUE(graph.declare_transient({.id = "none", .rows = 0, .format = Format::uint32x3}));
  ASSERT_TRUE(graph.declare_transient({.id = "five", .rows = 5, .format = Format::uint64}));
  const auto plan = graph.compile({}).value();
  EXPECT_EQ(plan.buffers[0].bytes, 12u);
  EXPECT_EQ(plan.buffers[1].bytes, 40u);
  expect_error(
      Graph().declare_transient({.id = "t", .rows = ~0ull}), ErrorCode::invalid_graph,
      "Transient 't' of 18446744073709551615 rows of 4 bytes holds more bytes than 64 bits count.");
}

TEST(GraphTest, contract_G_1_reading_what_nothing_wrote_is_an_error) {
  Graph graph;
  const DataView scratch = transient(graph, "scratch", 4);
  const DataView out = imported(graph, "out", 16);
  ASSERT_TRUE(graph.add(Copy{.id = "early", .source = scratch, .destination = out}));
  ASSERT_TRUE(graph.add(Clear{.id = "late", .destination = scratch}));
  expect_error(graph.compile({}), ErrorCode::invalid_graph,
               "Node 'early' reads transient 'scratch', which no node before it writes.");
}

TEST(GraphTest, contract_G_2_a_use_must_be_declared) {
  Graph graph;
  const BufferId buffer =
      graph.import_buffer({.id = "a", .bytes = 64, .usage = {Use::storage_read}}).value();
  const DataView view{.buffer = buffer, .rows = 16};
  expect_error(graph.add(Clear{.id = "c", .destination = view}), ErrorCode::invalid_graph,
               "Node 'c' uses buffer 'a' as copy-destination, which its declared usage "
               "(storage-read) does not allow.");
  expect_error(graph.add(Scan{.id = "s", .input = view, .output = view}), ErrorCode::invalid_graph,
               "Node 's' uses buffer 'a' as storage-write, which its declared usage "
               "(storage-read) does not allow.");
  ASSERT_TRUE(graph.add(Clear{.id = "c", .destination = DataView{.buffer = buffer}}))
      << "an empty view uses nothing, and a refused node leaves its id free";
}

TEST(GraphTest, contract_G_2_read_write_covers_reading_and_writing) {
  Graph graph;
  const BufferId buffer =
      graph.import_buffer({.id = "a", .bytes = 64, .usage = {Use::storage_read_write}}).value();
  const DataView view{.buffer = buffer, .rows = 16};
  EXPECT_TRUE(graph.add(Scan{.id = "s", .input = view, .output = view}));
}

TEST(GraphTest, contract_G_4_compiling_freezes_also_where_it_fails) {
  Graph graph;
  ASSERT_TRUE(graph.add(noop("a", {"a"})));
  EXPECT_FALSE(graph.compile({}));
  expect_error(graph.add(noop("b")), ErrorCode::invalid_graph,
               "Node 'b' comes after the graph was compiled.");
  expect_error(graph.import_buffer({.id = "x"}), ErrorCode::invalid_graph,
               "Buffer 'x' comes after the graph was compiled.");
  EXPECT_FALSE(graph.declare_transient({.id = "x"}));
  EXPECT_FALSE(graph.name_view("x", {}));
}

TEST(GraphTest, contract_V_2_a_buffer_of_another_graph_is_refused) {
  Graph one;
  Graph other;
  const DataView view = imported(one, "a", 16);
  expect_error(other.add(Clear{.id = "c", .destination = view}), ErrorCode::invalid_view,
               "Destination of clear 'c' lies in a buffer of another graph.");
  expect_error(other.name_view("v", view), ErrorCode::invalid_view,
               "View 'v' lies in a buffer of another graph.");
}

TEST(GraphTest, a_name_finds_its_view_and_a_buffer_its_rows) {
  Graph graph("g");
  const DataView whole = imported(graph, "a", 18);
  const DataView part{.buffer = whole.buffer, .rows = 2, .byte_offset = 8};
  ASSERT_TRUE(graph.name_view("part", part));
  EXPECT_EQ(graph.find_view("part"), std::optional(VectorView(part)));
  EXPECT_EQ(graph.find_view("a"),
            std::optional(VectorView(DataView{.buffer = whole.buffer, .rows = 4})));
  EXPECT_EQ(graph.find_view("b"), std::nullopt);
  EXPECT_EQ(graph.id(), "g");
}

class ConditionTest : public ::testing::Test {
 protected:
  Graph graph_;
  DataView scratch_ = transient(graph_, "scratch", 4);
  DataView out_ = imported(graph_, "out", 16);

  Result<Plan> read_under(const std::string& condition) {
    EXPECT_TRUE(graph_.add(
        Copy{.id = "read", .source = scratch_, .destination = out_, .condition = condition}));
    return graph_.compile({});
  }
  void write_under(const std::string& condition) {
    ASSERT_TRUE(graph_.add(
        Clear{.id = "write-" + condition, .destination = scratch_, .condition = condition}));
  }
};

TEST_F(ConditionTest, contract_CO_1_a_reader_shares_the_writers_condition) {
  write_under("p");
  const auto plan = read_under("p");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->nodes[1].condition, "p");
}

TEST_F(ConditionTest, contract_CO_1_a_reader_without_it_is_refused) {
  write_under("p");
  expect_error(read_under(""), ErrorCode::invalid_graph,
               "Node 'read' reads transient 'scratch', which 'write-p' writes only if 'p'; it "
               "needs that condition too, or a clear of 'scratch' before both.");
}

TEST_F(ConditionTest, contract_CO_1_another_condition_is_refused) {
  write_under("p");
  EXPECT_FALSE(read_under("q"));
}

TEST_F(ConditionTest, contract_CO_1_a_clear_before_makes_it_whole) {
  write_under("");
  write_under("p");
  EXPECT_TRUE(read_under("q"));
}

TEST_F(ConditionTest, contract_CO_1_any_of_several_conditional_writers_will_do) {
  write_under("p");
  write_under("q");
  EXPECT_TRUE(read_under("q"));
}

TEST(GraphSlotsTest, contract_TR_1_and_TR_2_transients_share_slots_by_lifetime) {
  Graph graph;
  const DataView out = imported(graph, "out", 1024);
  std::vector<DataView> scratch;
  for (const std::uint64_t rows : {16u, 32u, 8u, 64u})
    scratch.push_back(transient(graph, "t" + std::to_string(rows), rows));
  for (const DataView& view : scratch) {
    const std::string id = std::to_string(view.rows);
    ASSERT_TRUE(graph.add(Clear{.id = "clear" + id, .destination = view}));
    ASSERT_TRUE(graph.add(
        Copy{.id = "copy" + id, .source = view, .destination = out, .depends_on = {"clear" + id}}));
  }
  const auto plan = graph.compile({}).value();
  EXPECT_EQ(order_of(plan), "clear16 clear32 clear8 clear64 copy16 copy32 copy8 copy64");
  EXPECT_EQ(plan.slots.size(), 4u) << "all live at once";
  EXPECT_EQ(plan.scratch_bytes, plan.scratch_bytes_without_reuse);
}

TEST(GraphSlotsTest, contract_TR_2_a_chain_takes_two_slots_and_unused_transients_none) {
  Graph graph;
  transient(graph, "unused", 1000);
  DataView from = imported(graph, "in", 64);
  for (int i = 0; i < 10; ++i) {
    const DataView to = transient(graph, "t" + std::to_string(i), 16);
    ASSERT_TRUE(graph.add(Copy{.id = std::to_string(i), .source = from, .destination = to}));
    from = to;
  }
  const auto plan = graph.compile({}).value();
  EXPECT_EQ(plan.slots.size(), 2u);
  EXPECT_EQ(plan.scratch_bytes, 128u);
  EXPECT_EQ(plan.scratch_bytes_without_reuse, 640u);
  EXPECT_EQ(plan.buffers[0].slot, std::nullopt);
}

TEST(GraphSlotsTest, a_transient_above_the_largest_buffer_is_refused) {
  Graph graph;
  transient(graph, "t", 1000);
  DeviceProfile profile;
  profile.limits.max_buffer_size = 2048;
  expect_error(graph.compile(profile), ErrorCode::limit_exceeded,
               "Transient 't' takes 4000 bytes, more than the device allows (2048, "
               "maxBufferSize).");
}

TEST(GraphTest, contract_G_1_transients_are_storage_whatever_uses_them) {
  Graph graph;
  const DataView in = imported(graph, "in", 64), out = imported(graph, "out", 64);
  const DataView between = transient(graph, "between", 16);
  ASSERT_TRUE(graph.add(Copy{.id = "there", .source = in, .destination = between}));
  ASSERT_TRUE(graph.add(Copy{.id = "on", .source = between, .destination = out}));
  const Plan plan = graph.compile({}).value();
  const std::uint32_t usage = kUsageStorage | kUsageCopySource | kUsageCopyDestination;
  EXPECT_EQ(plan.buffers[2].usage, usage);
  ASSERT_EQ(plan.slots.size(), 1u);
  EXPECT_EQ(plan.slots[0], (PlanSlot{64, usage}));
  EXPECT_EQ(plan.buffers[0].usage, kUsageCopySource + 0u) << "Imports are what their uses make.";
}

}  // namespace
}  // namespace wgprim::testing
