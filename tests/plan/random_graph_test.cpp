// What must hold for every graph, tried on ten thousand random ones and held against the slow
// oracles of support/graph_oracle.hpp. A failure names its seed and the line that repeats it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "support/graph_oracle.hpp"
#include "support/plan_faults.hpp"
#include "support/random_graph.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kGraphs = 1'000;
#else
constexpr std::uint64_t kGraphs = 10'000;
#endif

/// A random graph, what the oracles make of it, and what the planner does.
struct Trial {
  std::uint64_t seed = 0;
  RandomGraph random;
  std::optional<std::vector<NodeList>> waits;  ///< None where a node waits for an unknown one.
  NodeList order;
  Result<Plan> plan;

  explicit Trial(std::uint64_t number)
      : seed(number),
        random(random_graph(number)),
        waits(waits_of(random.nodes)),
        plan(random.graph.compile(random.profile)) {
    if (waits) order = order_in_waves(*waits);
  }

  bool has_order() const { return waits && order.size() == random.nodes.size(); }
  bool is_valid() const { return has_order() && reads_only_what_is_written(random); }
};

/// A sentence on what is wrong, or none.
using Verdict = std::string;

Verdict planned_where_valid(const Trial& trial) {
  if (!trial.plan && (trial.plan.error().code == ErrorCode::limit_exceeded ||
                      trial.plan.error().code == ErrorCode::unsupported)) {
    return "";
  }
  if (trial.is_valid() && !trial.plan) return "refused: " + trial.plan.error().message;
  if (!trial.is_valid() && trial.plan) return "planned although it contradicts itself";
  return "";
}

Verdict order_is_in_waves(const Trial& trial) {
  std::string expected;
  std::string found;
  for (const std::uint32_t node : trial.order)
    expected += concat(" ", trial.random.nodes[node].id);
  for (const PlanNode& node : trial.plan->nodes)
    found += concat(" ", node.id);
  return expected == found ? "" : concat("order", found, ", expected", expected);
}

Verdict nodes_say_what_they_wait_for(const Trial& trial) {
  std::vector<std::uint32_t> place(trial.order.size());
  for (std::uint32_t i = 0; i < trial.order.size(); ++i)
    place[trial.order[i]] = i;
  for (std::uint32_t i = 0; i < trial.order.size(); ++i) {
    const PlanNode& node = trial.plan->nodes[i];
    const NodeFacts& facts = trial.random.nodes[trial.order[i]];
    NodeList after;
    for (const std::uint32_t other : (*trial.waits)[trial.order[i]])
      after.push_back(place[other]);
    std::ranges::sort(after);
    if (node.after != after) return concat("node '", node.id, "' waits for other nodes");
    if (node.reads != facts.reads) return concat("node '", node.id, "' reads other buffers");
    if (node.writes != facts.writes) return concat("node '", node.id, "' writes other buffers");
  }
  return "";
}

Verdict scratch_is_written_before_it_is_read(const Trial& trial) {
  for (const TransientLife& life : lives_of(*trial.plan)) {
    if (life.begins_with_write) continue;
    return concat("'", trial.plan->buffers[life.buffer].id, "' is read before it is written");
  }
  return "";
}

Verdict scratch_is_tight(const Trial& trial) {
  const std::uint64_t growing = scratch_by_growing_slots(*trial.plan, lives_of(*trial.plan));
  if (trial.plan->scratch_bytes <= growing) return "";
  return concat(trial.plan->scratch_bytes, " bytes of scratch, ", growing, " by growing slots");
}

/// Among them buffers that share a slot alive, and scratch above the sum of the transients.
Verdict faults_of_the_plan(const Trial& trial) {
  const auto faults = find_faults(*trial.plan, trial.random.profile);
  return faults.empty() ? "" : faults.front();
}

Verdict the_same_bytes_again(const Trial& trial) {
  const auto again = random_graph(trial.seed).graph.compile(trial.random.profile);
  if (again.has_value() != trial.plan.has_value()) return "planned once, refused once";
  if (!again) return again.error().message == trial.plan.error().message ? "" : "another message";
  return to_json(*again) == to_json(*trial.plan) ? "" : "another plan";
}

/// Of the graph without external work, which no document can hold.
Verdict its_document_gives_the_same_bytes(const Trial& trial) {
  RandomGraph random = random_graph(trial.seed, Externals::left_out);
  const auto document = to_json(random.graph);
  if (!document) return document.error().message;
  auto read = graph_from_json(*document);
  if (!read) return read.error().message;
  const auto plan = random.graph.compile(random.profile);
  const auto again = read->compile(random.profile);
  if (plan.has_value() != again.has_value()) return "planned once, refused once";
  if (!plan) return plan.error().message == again.error().message ? "" : "another message";
  return to_json(*plan) == to_json(*again) ? "" : "another plan";
}

/// All graphs, tried once: the first fault that each rule finds.
class RandomGraphTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const char* only = std::getenv("WGPRIM_GRAPH_SEED");
    const std::uint64_t first = only != nullptr ? std::strtoull(only, nullptr, 10) : 0;
    const std::uint64_t end = only != nullptr ? first + 1 : kGraphs;
    for (std::uint64_t seed = first; seed < end; ++seed)
      try_all(Trial(seed));
  }

  static void TearDownTestSuite() {
    first_faults.clear();
    tally.clear();
  }

  static void expect_no_fault(const std::string& rule) {
    EXPECT_GT(tally[rule], 0) << "nothing was tried";
    EXPECT_EQ(first_faults[rule], "");
  }

  static inline std::map<std::string, std::string> first_faults;  ///< By rule.
  static inline std::map<std::string, int> tally;  ///< Graphs by rule, and by what became of them.

 private:
  static void try_all(const Trial& trial) {
    judge("validity", trial, planned_where_valid);
    judge("repeat", trial, the_same_bytes_again);
    judge("document", trial, its_document_gives_the_same_bytes);
    ++tally[trial.plan           ? "planned"
            : !trial.waits       ? "unknown dependency"
            : !trial.has_order() ? "cycle"
            : !trial.is_valid()  ? "unwritten"
                                 : "beyond limits"];
    if (!trial.plan || !trial.is_valid()) return;
    judge("order", trial, order_is_in_waves);
    judge("waits", trial, nodes_say_what_they_wait_for);
    judge("writes", trial, scratch_is_written_before_it_is_read);
    judge("tightness", trial, scratch_is_tight);
    judge("faults", trial, faults_of_the_plan);
  }

  static void judge(const std::string& rule, const Trial& trial, Verdict (*verdict)(const Trial&)) {
    ++tally[rule];
    if (!first_faults[rule].empty()) return;
    if (const Verdict fault = verdict(trial); !fault.empty()) {
      first_faults[rule] =
          concat(fault, "\n  WGPRIM_GRAPH_SEED=", trial.seed,
                 " build/release/bin/wgprim_plan_tests --gtest_filter='RandomGraph*'");
    }
  }
};

TEST_F(RandomGraphTest, graphs_are_planned_unless_they_contradict_themselves) {
  expect_no_fault("validity");
}
TEST_F(RandomGraphTest, contract_H_2_nodes_run_in_waves) { expect_no_fault("order"); }
TEST_F(RandomGraphTest, contract_H_1_nodes_wait_for_writers_and_readers) {
  expect_no_fault("waits");
}
TEST_F(RandomGraphTest, contract_G_1_scratch_is_written_before_it_is_read) {
  expect_no_fault("writes");
}
TEST_F(RandomGraphTest, contract_TR_2_scratch_is_as_tight_as_growing_slots) {
  expect_no_fault("tightness");
}
TEST_F(RandomGraphTest, contract_TR_1_E_4_plans_break_no_rule) { expect_no_fault("faults"); }
TEST_F(RandomGraphTest, equal_graphs_give_equal_bytes) { expect_no_fault("repeat"); }

TEST_F(RandomGraphTest, documents_of_graphs_give_equal_bytes) { expect_no_fault("document"); }

TEST_F(RandomGraphTest, each_rule_notices_a_plan_that_breaks_it) {
  std::uint64_t seed = 0;
  const auto is_good = [](const Trial& trial) {
    return trial.plan && trial.plan->nodes.size() > 4 && !trial.plan->slots.empty();
  };
  while (!is_good(Trial(seed)))
    ++seed;
  const auto expect_noticed = [&](Verdict (*verdict)(const Trial&), const auto& damage) {
    Trial trial(seed);
    EXPECT_EQ(verdict(trial), "");
    damage(*trial.plan);
    EXPECT_NE(verdict(trial), "");
  };
  expect_noticed(order_is_in_waves, [](Plan& plan) { std::swap(plan.nodes[0], plan.nodes[1]); });
  expect_noticed(nodes_say_what_they_wait_for,
                 [](Plan& plan) { plan.nodes.back().after.push_back(0); });
  expect_noticed(nodes_say_what_they_wait_for, [](Plan& plan) { plan.nodes[0].writes.clear(); });
  expect_noticed(scratch_is_tight, [](Plan& plan) { plan.scratch_bytes += 1 << 30; });
  expect_noticed(faults_of_the_plan, [](Plan& plan) { plan.slots[0].bytes -= 4; });
  expect_noticed(the_same_bytes_again, [](Plan& plan) { plan.nodes[0].id += "x"; });
  expect_noticed(scratch_is_written_before_it_is_read, [](Plan& plan) {
    std::erase_if(plan.passes, [](const PlanPass& pass) {
      return !std::holds_alternative<PlanComputePass>(pass);
    });
    for (PlanKernel& kernel : plan.kernels) {
      for (KernelBinding& binding : kernel.bindings)
        binding.access = Access::storage_read;
    }
  });
  Trial refused(seed);
  refused.plan = fail(ErrorCode::internal, "for no reason");
  EXPECT_NE(planned_where_valid(refused), "");
  refused.random.nodes[0].depends_on.emplace_back(refused.random.nodes[0].id);
  refused.waits = std::nullopt;
  EXPECT_EQ(planned_where_valid(refused), "");
}

TEST_F(RandomGraphTest, the_graphs_are_worth_trying) {
  if (std::getenv("WGPRIM_GRAPH_SEED") != nullptr) GTEST_SKIP() << "one graph only";
  const auto at_least = [](const std::string& what, std::uint64_t share) {
    EXPECT_GT(tally[what], static_cast<int>(kGraphs / share)) << what;
  };
  at_least("planned", 3);
  at_least("unknown dependency", 100);
  at_least("cycle", 100);
  at_least("unwritten", 100);
  at_least("beyond limits", 100);
}

}  // namespace
}  // namespace wgprim::testing
