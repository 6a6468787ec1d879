// Reports (contract ): stats, preflight against limits, the inspector over runs.
#include "wgprim/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "document/json_reader.hpp"
#include "support/graph_plans.hpp"

namespace wgprim::testing {
namespace {

TEST(StatsTest, contract_R_1_counts_and_bytes) {
  Plan plan = select_plan();
  plan.buffers.push_back({.id = "memory", .bytes = 100, .role = BufferRole::state});
  plan.buffers[4].slot = 0;  // As if offsets could follow flags.
  plan.slots = {{4096, kUsageStorage}, {16, kUsageStorage}};
  plan.buffers[5].slot = 1;
  const PlanStats stats = stats_of(plan);
  EXPECT_EQ(stats.order, (std::vector<std::string>{"flag", "scan", "scatter", "save"}));
  EXPECT_EQ(stats.imported, (BufferTotals{3, 4096 + 4096 + 4}));
  EXPECT_EQ(stats.logical, (BufferTotals{3, 4096 + 4096 + 16}));  // Not "never".
  EXPECT_EQ(stats.physical, (BufferTotals{3, 4096 + 16 + 100}));
  EXPECT_EQ(stats.saved_bytes, 4096U);

  const Json json = parse_json(to_json(stats)).value();
  EXPECT_EQ(json["order"], Json({"flag", "scan", "scatter", "save"}));
  EXPECT_EQ(json["imported"]["count"], 3);
  EXPECT_EQ(json["logical"]["bytes"], 8208);
  EXPECT_EQ(json["physical"]["bytes"], 4212);
  EXPECT_EQ(json["saved_bytes"], 4096);
  EXPECT_EQ(to_text(stats),
            "order 'flag', 'scan', 'scatter', 'save'\n"
            "imported                3 buffers, 8,196 B\n"
            "transient               3 buffers, 8,208 B\n"
            "memory of the plan      3 buffers, 4,212 B\n"
            "saved by sharing        4,096 B\n");
}

TEST(PreflightTest, contract_R_1_work_by_node_and_in_all) {
  const Preflight result = preflight(select_plan(), {});
  EXPECT_TRUE(result.fits());
  ASSERT_EQ(result.nodes.size(), 4U);
  EXPECT_EQ(result.nodes[1].id, "scan");
  EXPECT_EQ(result.nodes[1].path, "chained");
  EXPECT_EQ(result.nodes[2].workload, (Workload{8, 2048, 4096, 4096}));
  EXPECT_EQ(result.nodes[3].commands, 1U);
  EXPECT_EQ(result.nodes[3].workload, (Workload{0, 0, 4, 4}));
  EXPECT_EQ(result.total.commands, 4U);
  EXPECT_EQ(result.total.workload, (Workload{16, 4096, 3 * 4096 + 4, 3 * 4096 + 4}));
  EXPECT_EQ(result.largest_buffer_bytes, 4096U);
  EXPECT_EQ(result.largest_binding_bytes, 4096U);
}

/// The one limit that a plan exceeds once `lower` was applied to the defaults.
template <class Lower>
ExceededLimit exceeded(const Plan& plan, Lower lower) {
  Limits limits;
  lower(limits);
  const Preflight result = preflight(plan, limits);
  EXPECT_FALSE(result.fits());
  EXPECT_EQ(result.exceeded.size(), 1U) << to_text(result);
  return result.exceeded.empty() ? ExceededLimit{} : result.exceeded.front();
}

void expect_exceeded(const ExceededLimit& found, const std::string& limit, std::uint64_t allowed,
                     std::uint64_t needed, const std::string& what) {
  EXPECT_EQ(found.limit, limit);
  EXPECT_EQ(found.allowed, allowed);
  EXPECT_EQ(found.needed, needed);
  EXPECT_EQ(found.what, what);
}

TEST(PreflightTest, contract_R_1_the_limit_and_its_worst_offender) {
  Plan plan = select_plan();
  plan.buffers[1].bytes = 5000;
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_buffer_size = 4000; }), "maxBufferSize",
                  4000, 5000, "buffer 'kept'");
  plan.slots[2].bytes = 6000;
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_buffer_size = 4000; }), "maxBufferSize",
                  4000, 6000, "slot 2");
  plan.dispatches[0].bindings[1].bytes = 9000;
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_storage_buffer_binding_size = 4000; }),
                  "maxStorageBufferBindingSize", 4000, 9000, "dispatch 0 of node 'flag'");
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_compute_workgroups_per_dimension = 3; }),
                  "maxComputeWorkgroupsPerDimension", 3, 8, "dispatch 2 of node 'scatter'");
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_storage_buffers_per_shader_stage = 1; }),
                  "maxStorageBuffersPerShaderStage", 1, 2, "kernel 'flag'");
}

TEST(PreflightTest, contract_R_1_uniforms_have_a_limit_of_their_own) {
  Plan plan = select_plan();
  plan.kernels[0].bindings[0].access = Access::uniform;
  plan.dispatches[0].bindings[0].bytes = 70'000;
  expect_exceeded(exceeded(plan, [](Limits&) {}), "maxUniformBufferBindingSize", 65536, 70'000,
                  "dispatch 0 of node 'flag'");
  plan.dispatches[0].bindings[0].bytes = 16;
  for (std::uint32_t binding = 2; binding < 14; ++binding) {  // Parameters are bound as uniforms.
    const Access access = binding == 2 ? Access::parameters : Access::uniform;
    plan.kernels[0].bindings.push_back({binding, access});
  }
  expect_exceeded(exceeded(plan, [](Limits&) {}), "maxUniformBuffersPerShaderStage", 12, 13,
                  "kernel 'flag'");
}

TEST(PreflightTest, contract_R_1_kernels_by_lanes_and_workgroup_memory) {
  const Plan plan = select_plan();  // 'scan_blocks' has 256 lanes and a word for each.
  const std::string what = "kernel 'scan_blocks'";
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_compute_invocations_per_workgroup = 128; }),
                  "maxComputeInvocationsPerWorkgroup", 128, 256, what);
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_compute_workgroup_size_x = 64; }),
                  "maxComputeWorkgroupSizeX", 64, 256, what);
  expect_exceeded(exceeded(plan, [](Limits& l) { l.max_compute_workgroup_storage_size = 512; }),
                  "maxComputeWorkgroupStorageSize", 512, 1024, what);
}

TEST(PreflightTest, workgroup_counts_from_the_device_are_the_device_s_to_refuse) {
  Plan plan = select_plan();
  plan.dispatches[2].indirect = IndirectShape{0, 0};
  Limits limits;
  limits.max_compute_workgroups_per_dimension = 4;
  EXPECT_TRUE(preflight(plan, limits).fits());
}

TEST(PreflightTest, text_and_json_say_the_same) {
  Limits limits;
  limits.max_buffer_size = 4000;
  limits.max_compute_workgroups_per_dimension = 1;
  const Preflight result = preflight(select_plan(), limits);
  const std::string text = to_text(result);
  EXPECT_NE(text.find("'scan'     scan       chained         1           4        1,024"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("does not fit: buffer 'values' needs 4,096, maxBufferSize allows 4,000\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("fits the limits"), std::string::npos);
  EXPECT_NE(to_text(preflight(select_plan(), {})).find("\nfits the limits\n"), std::string::npos);

  const Json json = parse_json(to_json(result)).value();
  EXPECT_EQ(json["fits"], false);
  ASSERT_EQ(json["exceeded"].size(), 2U);
  EXPECT_EQ(json["exceeded"][0]["limit"], "maxBufferSize");
  EXPECT_EQ(json["exceeded"][0]["needed"], 4096);
  EXPECT_EQ(json["exceeded"][1]["limit"], "maxComputeWorkgroupsPerDimension");
  EXPECT_EQ(json["total"]["commands"], 4);
  EXPECT_EQ(json["nodes"][1]["path"], "chained");
  EXPECT_EQ(json["nodes"][1]["invocations"], 1024);
}

using Times = std::vector<std::optional<double>>;

TEST(InspectorTest, contract_R_2_outcomes_and_times_by_node) {
  Inspector inspector(select_plan(), {.capabilities = {.timestamps = true}});
  EXPECT_FALSE(inspector.nodes()[0].outcome);
  EXPECT_FALSE(inspector.nodes()[0].times_ns);
  const std::vector<Outcome> outcomes = {Outcome::executed, Outcome::executed,
                                         Outcome::gpu_resolved, Outcome::skipped};
  for (const double ns : {4.0, 1.0, 3.0, 2.0})
    inspector.add_run(outcomes, Times{ns, 10 * ns, std::nullopt, std::nullopt});
  EXPECT_EQ(inspector.nodes()[0].latest_ns, 2.0);
  EXPECT_EQ(inspector.nodes()[1].latest_ns, 20.0);
  inspector.add_run(outcomes, Times{std::nullopt, 5.0, std::nullopt, std::nullopt});
  EXPECT_FALSE(inspector.nodes()[0].latest_ns) << "That of an earlier run is not the latest.";
  EXPECT_EQ(inspector.nodes()[1].latest_ns, 5.0);
  inspector.add_run(outcomes);  // Not timed.
  const auto nodes = inspector.nodes();
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_FALSE(nodes[0].latest_ns);
  EXPECT_EQ(nodes[0].times_ns, (Distribution{1, 2, 4, 4}));
  EXPECT_EQ(nodes[1].times_ns->p95, 40.0);
  EXPECT_EQ(nodes[1].path, "chained");
  EXPECT_EQ(nodes[1].reason, "the only path");
  EXPECT_EQ(nodes[2].outcome, Outcome::gpu_resolved);
  EXPECT_FALSE(nodes[2].times_ns);
  EXPECT_EQ(nodes[3].outcome, Outcome::skipped);
}

TEST(InspectorTest, contract_R_2_the_latest_times_are_kept) {
  Inspector inspector(plan_of_invocations({1}), {});
  const std::vector<Outcome> outcomes = {Outcome::executed};
  inspector.add_run(outcomes, Times{1e9});
  for (std::size_t i = 0; i < Inspector::kMostTimes; ++i)
    inspector.add_run(outcomes, Times{5.0 + static_cast<double>(i % 2)});
  const auto node = inspector.nodes()[0];
  EXPECT_EQ(node.latest_ns, 6.0);
  EXPECT_EQ(node.times_ns, (Distribution{5, 5, 6, 6}));  // The first is forgotten.
}

TEST(InspectorTest, what_is_no_time_is_left_out) {
  Inspector inspector(plan_of_invocations({1}), {});
  inspector.add_run({}, Times{std::nan(""), 7.0, 8.0});  // More than there are nodes, too.
  inspector.add_run({}, Times{7.0});
  EXPECT_EQ(inspector.nodes()[0].times_ns, (Distribution{7, 7, 7, 7}));
  EXPECT_FALSE(inspector.nodes()[0].outcome);
}

TEST(InspectorTest, text_and_json_say_the_same) {
  const std::string limits =
      "limits: maxBufferSize 268,435,456, maxStorageBufferBindingSize 134,217,728, "
      "maxUniformBufferBindingSize 65,536, maxStorageBuffersPerShaderStage 8, "
      "maxUniformBuffersPerShaderStage 12, maxComputeWorkgroupStorageSize 16,384, "
      "maxComputeInvocationsPerWorkgroup 256, "
      "maxComputeWorkgroupSizeX 256, maxComputeWorkgroupSizeY 256, maxComputeWorkgroupSizeZ 64, "
      "maxComputeWorkgroupsPerDimension 65,535\n";
  Inspector inspector(select_plan(), {.capabilities = {true, 8, true}}, true);
  const std::vector<Outcome> outcomes(4, Outcome::executed);
  inspector.add_run(outcomes, Times{12'345.0, 1e6, std::nullopt, std::nullopt});
  EXPECT_EQ(
      to_text(inspector),
      "node       operation  outcome   path                     latest us    p50 us    p95 us\n"
      "'flag'     compute    executed  -                            12.35     12.35     12.35\n"
      "'scan'     scan       executed  chained (the only path)   1,000.00  1,000.00  1,000.00\n"
      "'scatter'  compute    executed  -                                -         -         -\n"
      "'save'     copy       executed  -                                -         -         -\n"
      "software adapter: yes; subgroups: yes (of 8); timestamps: yes\n" +
          limits);
  EXPECT_EQ(to_text(Inspector(plan_of_invocations({1}), {})),
            "node     operation  outcome  path\n"
            "'node0'  compute    not run  -\n"
            "software adapter: unknown; subgroups: no; timestamps: no\n" +
                limits);
  const Json json = parse_json(to_json(inspector)).value();
  EXPECT_EQ(json["capabilities"]["software"], true);
  EXPECT_EQ(json["capabilities"]["subgroup_size"], 8);
  EXPECT_EQ(json["limits"]["maxBufferSize"], Limits{}.max_buffer_size);
  EXPECT_EQ(json["nodes"][0]["gpu_ns"], 12345.0);
  EXPECT_EQ(json["nodes"][1]["gpu_ns_p95"], 1e6);
  EXPECT_EQ(json["nodes"][1]["reason"], "the only path");
  EXPECT_TRUE(json["nodes"][2]["gpu_ns"].is_null());
  EXPECT_EQ(json["nodes"][3]["outcome"], "executed");
}

}  // namespace
}  // namespace wgprim::testing
