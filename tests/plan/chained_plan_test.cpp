// The plans of path `chained`, dispatch by dispatch, at the sizes where a level begins: kernels,
// shapes, parameters and bindings in full, scratch and traffic.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/case.hpp"
#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/plan_lines.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

/// A plan without fault for default limits.
Plan plan_of(const ScanCase& scan) {
  auto plan = plan_scan(scan);
  if (!plan) throw std::runtime_error(plan.error().message);
  EXPECT_EQ(find_faults(*plan, {}), std::vector<std::string>());
  return *std::move(plan);
}

TEST(ChainedPlanTest, contract_SC_1_no_rows_take_no_dispatch_and_no_scratch) {
  const Plan plan = plan_of(separate_scan(0));
  EXPECT_TRUE(plan.dispatches.empty());
  EXPECT_TRUE(plan.passes.empty());
  EXPECT_TRUE(plan.slots.empty());
  EXPECT_EQ(plan.scratch_bytes, 0u);
  ASSERT_EQ(plan.nodes.size(), 1u) << "its id stays valid";
  EXPECT_EQ(plan.nodes[0].id, "scan");
}

TEST(ChainedPlanTest, one_row) {
  const Plan plan = plan_of(separate_scan(1));
  EXPECT_EQ(lines_of(plan), R"(
scan_blocks 1x1x1 (1 1 input=1 output=1) output[8] input[8]
)");
  EXPECT_EQ(plan.scratch_bytes, 0u) << "one block has a total that nobody asks for";
}

TEST(ChainedPlanTest, one_full_block) {
  EXPECT_EQ(lines_of(plan_of(separate_scan(256))), R"(
scan_blocks 1x1x1 (256 1 input=1 output=1) output[1028] input[1028]
)");
}

TEST(ChainedPlanTest, one_row_more_than_a_block) {
  const Plan plan = plan_of(separate_scan(257));
  EXPECT_EQ(lines_of(plan), R"(
scan_blocks 2x1x1 (257 2 input=1 output=1) output[1032] sums1[8] input[1032]
scan_blocks 1x1x1 (2 1) sums1[8]
add_block_offsets 2x1x1 (257 2 output=1) output[1032] sums1[8]
)");
  EXPECT_EQ(plan.scratch_bytes, 8u);
}

TEST(ChainedPlanTest, a_block_of_full_blocks) {
  const Plan plan = plan_of(separate_scan(65536));
  EXPECT_EQ(lines_of(plan), R"(
scan_blocks 256x1x1 (65536 256 input=1 output=1) output[262148] sums1[1024] input[262148]
scan_blocks 1x1x1 (256 1) sums1[1024]
add_block_offsets 256x1x1 (65536 256 output=1) output[262148] sums1[1024]
)");
  EXPECT_EQ(plan.scratch_bytes, 1024u);
}

TEST(ChainedPlanTest, one_row_more_than_a_block_of_blocks) {
  const Plan plan = plan_of(separate_scan(65537));
  EXPECT_EQ(lines_of(plan), R"(
scan_blocks 257x1x1 (65537 257 input=1 output=1) output[262152] sums1[1028] input[262152]
scan_blocks 2x1x1 (257 2) sums1[1028] sums2[8]
scan_blocks 1x1x1 (2 1) sums2[8]
add_block_offsets 2x1x1 (257 2) sums1[1028] sums2[8]
add_block_offsets 257x1x1 (65537 257 output=1) output[262152] sums1[1028]
)");
  EXPECT_EQ(plan.scratch_bytes, 1036u);
}

TEST(ChainedPlanTest, three_levels_of_full_blocks_are_one_row_too_wide_for_one_dimension) {
  const Plan plan = plan_of(separate_scan(16777216));
  EXPECT_EQ(lines_of(plan), R"(
scan_blocks 32768x2x1 (16777216 65536 input=1 output=1) output[67108868] sums1[262144] input[67108868]
scan_blocks 256x1x1 (65536 256) sums1[262144] sums2[1024]
scan_blocks 1x1x1 (256 1) sums2[1024]
add_block_offsets 256x1x1 (65536 256) sums1[262144] sums2[1024]
add_block_offsets 32768x2x1 (16777216 65536 output=1) output[67108868] sums1[262144]
)");
  EXPECT_EQ(plan.scratch_bytes, 262144u + 1024);
}

TEST(ChainedPlanTest, S4_one_row_more_than_three_levels) {
  const Plan plan = plan_of(separate_scan(16777217));
  EXPECT_EQ(lines_of(plan), R"(
scan_blocks 32769x2x1 (16777217 65537 input=1 output=1) output[67108872] sums1[262148] input[67108872]
scan_blocks 257x1x1 (65537 257) sums1[262148] sums2[1028]
scan_blocks 2x1x1 (257 2) sums2[1028] sums3[8]
scan_blocks 1x1x1 (2 1) sums3[8]
add_block_offsets 2x1x1 (257 2) sums2[1028] sums3[8]
add_block_offsets 257x1x1 (65537 257) sums1[262148] sums2[1028]
add_block_offsets 32769x2x1 (16777217 65537 output=1) output[67108872] sums1[262148]
)");
  EXPECT_EQ(plan.scratch_bytes, 262148u + 1028 + 8);
}

TEST(ChainedPlanTest, case_J01) {
  const auto dispatches = [](std::uint64_t rows) {
    return plan_of(separate_scan(rows)).dispatches;
  };
  EXPECT_EQ(dispatches(1).size(), 1u);
  EXPECT_EQ(dispatches(256).size(), 1u);
  EXPECT_EQ(dispatches(257).size(), 3u);
  EXPECT_EQ(dispatches(65536).size(), 3u);
  EXPECT_EQ(dispatches(65537).size(), 5u);
  EXPECT_EQ(dispatches(16777217).size(), 7u);
}

TEST(ChainedPlanTest, only_the_rows_are_scanned_inclusively) {
  const Plan plan = plan_of(separate_scan(65537, ScanMode::inclusive));
  std::vector<std::uint32_t> is_inclusive;
  for (const PlanDispatch& dispatch : plan.dispatches) {
    for (const auto& [name, value] : plan.kernels[dispatch.kernel].constants) {
      if (name == "IS_INCLUSIVE") is_inclusive.push_back(value);
    }
  }
  EXPECT_EQ(is_inclusive, std::vector<std::uint32_t>{1});
}

TEST(ChainedPlanTest, one_pipeline_serves_all_lengths) {
  const auto kernels = plan_of(separate_scan(65537)).kernels;
  EXPECT_EQ(plan_of(separate_scan(70000)).kernels, kernels);
  EXPECT_EQ(plan_of(separate_scan(16777217)).kernels, kernels);
}

TEST(ChainedPlanTest, contract_SC_6_in_place_binds_the_rows_once) {
  EXPECT_EQ(lines_of(plan_of(in_place_scan(257))), R"(
scan_blocks 2x1x1 (257 2 input=1 output=1) data[1032] sums1[8]
scan_blocks 1x1x1 (2 1) sums1[8]
add_block_offsets 2x1x1 (257 2 output=1) data[1032] sums1[8]
)");
}

TEST(ChainedPlanTest, contract_SC_8_traffic_is_four_words_a_row_plus_the_levels_above) {
  const Plan plan = plan_of(separate_scan(65536));
  // Rows: read and written twice. Sums: 256 written, read and written by the scan above, and read
  // when they are added.
  EXPECT_EQ(plan.workload.bytes_read, 4u * (2 * 65536 + 2 * 256));
  EXPECT_EQ(plan.workload.bytes_written, 4u * (2 * 65536 + 2 * 256));
  EXPECT_EQ(plan.workload.workgroups, 256u + 1 + 256);
  EXPECT_EQ(plan.workload.invocations, 256u * (256 + 1 + 256));
}

TEST(ChainedPlanTest, contract_SC_8_levels_above_the_rows_cost_less_than_two_percent) {
  for (const std::uint64_t rows : {1000u, 65537u, 16777217u}) {
    const Workload workload = plan_of(separate_scan(rows)).workload;
    const std::uint64_t bytes = workload.bytes_read + workload.bytes_written;
    EXPECT_GE(bytes, 16 * rows);
    EXPECT_LE(bytes, 16 * rows + 16 * rows / 50);
  }
}

TEST(ChainedPlanTest, one_compute_pass_holds_everything) {
  const Plan plan = plan_of(separate_scan(65537));
  ASSERT_EQ(plan.passes.size(), 1u);
  EXPECT_EQ(std::get<PlanComputePass>(plan.passes[0]), (PlanComputePass{0, 5}));
}

TEST(ChainedPlanTest, labels_and_nodes_say_what_runs) {
  const Plan plan = plan_of(separate_scan(257));
  EXPECT_EQ(plan.dispatches[0].label, "scan_blocks");
  EXPECT_EQ(plan.dispatches[2].label, "add_block_offsets");
  EXPECT_EQ(plan.nodes[0].path, "chained");
  EXPECT_EQ(plan.nodes[0].reason, "asked for");
}

TEST(ChainedPlanTest, contract_TR_1_a_second_scan_takes_over_the_scratch_of_the_first) {
  Graph graph;
  const BufferId data = graph.import_buffer({"data", 4 * 70000}).value();
  const DataView view{.buffer = data, .rows = 70000};
  ASSERT_TRUE(graph.add(Scan{.id = "a", .input = view, .output = view, .path = Path::chained}));
  const std::uint64_t scratch = 4 * (274 + 2);
  ASSERT_TRUE(graph.add(Scan{.id = "b", .input = view, .output = view, .path = Path::chained}));
  const Plan plan = graph.compile({}).value();
  EXPECT_EQ(find_faults(plan, {}), std::vector<std::string>());
  EXPECT_EQ(plan.dispatches.size(), 10u);
  EXPECT_EQ(plan.scratch_bytes, scratch);
  EXPECT_EQ(plan.scratch_bytes_without_reuse, 2 * scratch);
}

TEST(ChainedPlanTest, two_scans_in_a_row_compute_the_scan_of_the_scan) {
  ScanCase scan = in_place_scan(1000, ScanMode::inclusive);
  Graph graph;
  const BufferId data = graph.import_buffer(scan.buffers[0]).value();
  const DataView view{.buffer = data, .rows = 1000, .byte_offset = 4};
  ASSERT_TRUE(graph.add({.id = "a", .input = view, .output = view, .mode = scan.mode}));
  ASSERT_TRUE(graph.add({.id = "b", .input = view, .output = view, .mode = scan.mode}));
  const auto found = interpret(graph.compile({}).value(), image_before(scan));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, image_after(scan, image_after(scan, image_before(scan))));
}

}  // namespace
}  // namespace wgprim::testing
