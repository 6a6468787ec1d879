// Plans as pages of text and as DOT: every line that a graph can bring, and ids of any kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <regex>
#include <string>

#include "support/graph_plans.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {
namespace {

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no " << part << " in\n" << text;
}

TEST(PlanTextTest, a_graph_says_order_uses_and_conditions) {
  const std::string text = to_text(select_plan());
  expect_contains(
      text,
      "node 'scan': scan, path chained (the only path), subgroups off, up to 1,024 rows\n"
      "  after         'flag'\n"
      "  reads         'flags'\n"
      "  writes        'offsets'\n"
      "  dispatch 1    scan_blocks ");
  expect_contains(text, "node 'save': copy, subgroups off, if 'save'\n");
  expect_contains(text, "  copy          4 B from 'offsets' at byte 4,092 to 'count' at byte 0\n");
}

TEST(PlanTextTest, contract_TR_1_which_slot_holds_what_when) {
  expect_contains(to_text(select_plan()),
                  "slots over commands 0 to 3\n"
                  "  slot 0                  4,096 B\n"
                  "    'flags'               ###.  0 to 2\n"
                  "  slot 1                  4,096 B\n"
                  "    'offsets'             .###  1 to 3\n"
                  "  slot 2                  16 B\n"
                  "    'scan.sums1'          .#..  1 to 1\n");
}

TEST(PlanTextTest, clears_external_work_counts_from_the_device_and_steps) {
  Plan plan = select_plan();
  plan.dispatches[2].indirect = IndirectShape{4, 8};
  plan.passes.emplace_back(PlanClear{.node = 3, .buffer = 2, .offset = 0, .bytes = 4});
  plan.passes.emplace_back(PlanExternal{
      .node = 3, .uses = {{1, 256, 64, kUsageVertex}, {2, 0, 4, kUsageStorage, true}}});
  plan.steps = {{0, 3}, {3, 4, true}};
  const std::string text = to_text(plan);
  expect_contains(text, "as 'offsets' at byte 8 says, planned as 8 x 1 x 1 workgroups");
  expect_contains(text, "  clear         4 B of 'count' at byte 0\n");
  expect_contains(text,
                  "  external      recorded by the caller\n"
                  "    vertex: 64 B of 'kept' at byte 256\n"
                  "    storage, written: 4 B of 'count' at byte 0\n");
  expect_contains(text,
                  "steps\n"
                  "  step 0        'flag' to 'scatter', 3 nodes\n"
                  "  step 1        'save', above the budget\n");
}

/// So many nodes, each with a transient of its own between it and the next, in two slots.
Plan long_plan(std::uint32_t nodes) {
  Plan plan = plan_of_invocations(std::vector<std::uint64_t>(nodes, 1));
  plan.slots = {{4, kUsageStorage}, {4, kUsageStorage}};
  for (std::uint32_t i = 0; i < nodes; ++i) {
    plan.buffers.push_back(
        {.id = concat("t", i), .bytes = 4, .role = BufferRole::transient, .slot = i % 2});
    plan.dispatches[i].bindings = {{0, i, 0, 4}};
    plan.nodes[i].writes = {i};
    if (i == 0) continue;
    plan.dispatches[i].bindings.push_back({1, i - 1, 0, 4});
    plan.nodes[i].reads = {i - 1};
    plan.nodes[i].after = {i - 1};
  }
  return plan;
}

TEST(PlanTextTest, bars_of_a_long_plan_are_60_wide) {
  const std::string text = to_text(long_plan(120));
  expect_contains(text, "    't0'                  #" + std::string(59, '.') + "  0 to 1\n");
  expect_contains(text, "    't1'                  ##" + std::string(58, '.') + "  1 to 2\n");
  expect_contains(text, "    't119'                " + std::string(59, '.') + "#  119 to 119\n");
}

TEST(PlanTextTest, time_grows_with_the_plan) {
  const auto seconds = [](std::uint32_t nodes) {
    const Plan plan = long_plan(nodes);
    const std::clock_t start = std::clock();  // The processor's time: others may be busy beside us.
    EXPECT_GT(to_text(plan).size() + to_dot(plan).size(), nodes);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  EXPECT_LT(seconds(100'000), 30.0);  // Quadratic work takes minutes; sanitizers take seconds.
}

TEST(PlanTextTest, ids_stay_on_their_line) {
  Plan plan = plan_of_invocations({1});
  plan.nodes[0].id = "a\nb\x1b[31m\xff\xc0\xaf \xe2\x82\xac";
  expect_contains(to_text(plan), "node 'a\\nb\\x1b[31m\\xff\\xc0\\xaf \xe2\x82\xac': compute");
}

/// Takes DOT apart as far as these pictures go: declarations and edges, by name.
struct Picture {
  std::vector<std::string> boxes;  ///< "n0 label".
  std::vector<std::string> edges;  ///< "b0 -> n1 attributes".
  bool is_well_formed = true;
};

Picture parse_dot(const std::string& text) {
  static const std::regex kBox(
      R"re( *([nbs]\d+) \[shape=box, (?:style="rounded,filled", )?(?:fillcolor="#\w+", )?label="((?:[^"\\\n]|\\.)*)"(?:, fillcolor=(?:"#\w+"|\w+))?\])re");
  static const std::regex kEdge(R"re( *([nbs]\d+) -> ([nbs]\d+)((?: \[[a-z0-9=, ]+\])?))re");
  static const std::regex kOther(
      R"re(digraph plan \{|  (?:graph|node|edge) \[(?:[^"\n]|"[^"\n]*")*\]|  subgraph cluster_slots \{|    label="slots"|    color=grey|  \}|\})re");
  Picture picture;
  std::string rest = text;
  while (!rest.empty()) {
    const std::string line = rest.substr(0, rest.find('\n'));
    rest.erase(0, line.size() + 1);
    std::smatch parts;
    if (std::regex_match(line, parts, kBox)) {
      picture.boxes.push_back(concat(parts[1].str(), " ", parts[2].str()));
    } else if (std::regex_match(line, parts, kEdge)) {
      picture.edges.push_back(concat(parts[1].str(), " -> ", parts[2].str(), parts[3].str()));
    } else if (!std::regex_match(line, kOther)) {
      ADD_FAILURE() << "not understood: " << line;
      picture.is_well_formed = false;
    }
  }
  return picture;
}

bool has(const std::vector<std::string>& items, const std::string& item) {
  return std::ranges::find(items, item) != items.end();
}

TEST(PlanDotTest, every_node_buffer_and_slot_is_there) {
  const Picture picture = parse_dot(to_dot(select_plan()));
  EXPECT_EQ(
      picture.boxes,
      (std::vector<std::string>{
          R"(n0 1. flag\ncompute)", R"(n1 2. scan\nscan, chained)", R"(n2 3. scatter\ncompute)",
          R"(n3 4. save\ncopy\nif save)", R"(b0 values\n4,096 B)", R"(b1 kept\n4,096 B)",
          R"(b2 count\n4 B)", R"(b3 flags\n4,096 B, slot 0)", R"(b4 offsets\n4,096 B, slot 1)",
          R"(b5 scan.sums1\n16 B, slot 2)", R"(b6 never\n8 B, unused)", R"(s0 slot 0\n4,096 B)",
          R"(s1 slot 1\n4,096 B)", R"(s2 slot 2\n16 B)"}));
}

TEST(PlanDotTest, edges_are_reads_writes_scratch_and_waits_without_a_buffer) {
  const Picture picture = parse_dot(to_dot(select_plan()));
  EXPECT_TRUE(has(picture.edges, "b0 -> n0"));
  EXPECT_TRUE(has(picture.edges, "n0 -> b3"));
  EXPECT_TRUE(has(picture.edges, "b4 -> n3"));
  EXPECT_TRUE(has(picture.edges, "n1 -> b5 [dir=both]"));
  std::vector<std::string> dashed;
  std::ranges::copy_if(picture.edges, std::back_inserter(dashed), [](const std::string& edge) {
    return edge.find("dashed") != std::string::npos;
  });
  // The scatter shares no buffer with the copy behind it; everything else waits for a buffer.
  EXPECT_EQ(dashed, std::vector<std::string>{"n2 -> n3 [style=dashed, constraint=false]"});
}

TEST(PlanDotTest, one_slot_one_colour) {
  const std::string text = to_dot(long_plan(20));
  const auto colour_of = [&](const std::string& name) {
    std::smatch found;
    const std::regex box("  " + name + R"re( \[.*fillcolor="(#\w+)".*)re");
    return std::regex_search(text, found, box) ? found[1].str() : "";
  };
  EXPECT_EQ(colour_of("b0"), colour_of("b2"));
  EXPECT_EQ(colour_of("b0"), colour_of("s0"));
  EXPECT_NE(colour_of("b0"), colour_of("b1"));
  EXPECT_EQ(colour_of("b1"), colour_of("s1"));
}

TEST(PlanDotTest, ids_of_any_kind_stay_within_their_quotes) {
  Plan plan = select_plan();
  plan.nodes[0].id = "\"]; x -> y [label=\"\\";
  plan.nodes[1].id = "a\nb\\N&lt;";
  plan.buffers[0].id = "\xff\x01 \xc3\xa4\xe2\x82\xac";
  const Picture picture = parse_dot(to_dot(plan));
  EXPECT_TRUE(picture.is_well_formed);
  EXPECT_TRUE(has(picture.boxes, R"(n0 1. \"]; x -> y [label=\"\\\ncompute)"));
  EXPECT_TRUE(has(picture.boxes, R"(n1 2. a\\nb\\N&amp;lt;\nscan, chained)"));
  EXPECT_TRUE(has(picture.boxes, "b0 \\\\xff\\\\x01 \xc3\xa4\xe2\x82\xac\\n4,096 B"));
}

TEST(PlanDotTest, a_write_after_a_read_does_not_turn_the_picture_round) {
  Plan plan = plan_of_invocations({1, 1, 1});
  plan.buffers = {{.id = "data", .bytes = 4}};
  plan.nodes[0].reads = {0};
  plan.nodes[1].reads = plan.nodes[1].writes = {0};
  plan.nodes[2].writes = {0};
  plan.nodes[1].after = {0};
  plan.nodes[2].after = {0, 1};
  const Picture picture = parse_dot(to_dot(plan));
  EXPECT_TRUE(has(picture.edges, "b0 -> n0"));
  EXPECT_TRUE(has(picture.edges, "b0 -> n1 [dir=both]"));
  EXPECT_TRUE(has(picture.edges, "n2 -> b0 [constraint=false]"));
}

}  // namespace
}  // namespace wgprim::testing
