// The block scans as their WGSL is written, run lane by lane in ascending and descending order:
// right in both, 17 barriers, and wrong in one of the two without any single barrier. The gpu ring
// runs the same mutations on the driver at hand (tests/gpu/mutation_test.cpp).
#include <gtest/gtest.h>

#include "kernels/assemble.hpp"
#include "reference/scan.hpp"
#include "support/lane_machine.hpp"
#include "support/mutation.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr LaneOrder kOrders[] = {LaneOrder::ascending, LaneOrder::descending};
constexpr std::uint32_t kLane = 1;  // A subgroup of one lane: lane after lane.

std::string portable_text() { return text_of(kernels::specialise("scan_blocks").value()); }
std::string subgroup_text() { return text_of(kernels::specialise("scan_blocks_subgroup").value()); }

Words some_values(std::uint32_t count) {
  Words values(count);
  for (std::uint32_t i = 0; i < count; ++i)
    values[i] = (i + 1) * 2654435761u;
  return values;
}

bool is_right(const std::string& text, std::uint32_t width, std::uint32_t subgroup_size,
              LaneOrder order) {
  const Words values = some_values(width);
  const BlockRun run = run_block_scan(text, values, subgroup_size, order);
  return run.fault.empty() && run.before == reference::exclusive_scan(values) &&
         run.through == reference::inclusive_scan(values);
}

/// The orders in which the text computes the right thing at 256 lanes.
std::vector<LaneOrder> right_orders(const std::string& text, std::uint32_t subgroup_size) {
  std::vector<LaneOrder> orders;
  for (const LaneOrder order : kOrders) {
    if (is_right(text, 256, subgroup_size, order)) orders.push_back(order);
  }
  return orders;
}

using Orders = std::vector<LaneOrder>;

TEST(BlockLadderTextTest, is_right_in_any_order_at_any_width) {
  for (const std::uint32_t width : {1u, 2u, 4u, 64u, 128u, 256u}) {
    for (const LaneOrder order : kOrders) {
      EXPECT_TRUE(is_right(portable_text(), width, kLane, order)) << width << " lanes";
    }
  }
}

TEST(BlockLadderTextTest, contract_I_4_takes_17_barriers_at_256_lanes) {
  constexpr std::size_t kBarriers = 17;
  const auto run = run_block_scan(portable_text(), some_values(256), kLane, LaneOrder::descending);
  EXPECT_EQ(run.at_barriers.size(), kBarriers);
  EXPECT_EQ(count_barriers(portable_text()), 3u) << "one before the loop, two in it";
}

TEST(BlockLadderTextTest, case_K05) {
  for (const LaneOrder order : kOrders) {
    const auto run = run_block_scan(portable_text(), {1, 0, 1, 1, 0, 1, 0, 1}, kLane, order);
    ASSERT_EQ(run.at_barriers.size(), 7u);
    EXPECT_EQ(run.at_barriers[0], (Words{1, 0, 1, 1, 0, 1, 0, 1}));
    EXPECT_EQ(run.at_barriers[2], (Words{1, 1, 1, 2, 1, 1, 1, 1}));
    EXPECT_EQ(run.at_barriers[4], (Words{1, 1, 2, 3, 2, 3, 2, 2}));
    EXPECT_EQ(run.at_barriers[6], (Words{1, 1, 2, 3, 3, 4, 4, 5}));
  }
}

TEST(BlockLadderTextTest, mutation_without_the_barrier_before_the_rounds) {
  EXPECT_EQ(right_orders(without_barrier(portable_text(), 0), kLane), Orders{LaneOrder::ascending});
}

TEST(BlockLadderTextTest, mutation_without_the_barrier_between_reads_and_writes) {
  EXPECT_EQ(right_orders(without_barrier(portable_text(), 1), kLane),
            Orders{LaneOrder::descending});
}

TEST(BlockLadderTextTest, mutation_without_the_barrier_between_writes_and_reads) {
  EXPECT_EQ(right_orders(without_barrier(portable_text(), 2), kLane), Orders{LaneOrder::ascending});
}

TEST(BlockLadderTextTest, mutation_with_a_barrier_in_divergent_flow) {
  const std::string text = with_replaced(portable_text(), "if (lane >= distance) {",
                                         "if (lane >= distance) { workgroupBarrier();");
  EXPECT_EQ(run_block_scan(text, some_values(8), kLane, LaneOrder::ascending).fault,
            "Lanes wait at different barriers.");
}

TEST(BlockSubgroupsTextTest, is_right_for_every_subgroup_size_in_any_order) {
  for (std::uint32_t size = 1; size <= 128; size *= 2) {
    EXPECT_EQ(right_orders(subgroup_text(), size), (Orders{kOrders[0], kOrders[1]}))
        << "subgroups of " << size;
  }
  EXPECT_TRUE(is_right(subgroup_text(), 64, 64, LaneOrder::descending));
}

TEST(BlockSubgroupsTextTest, takes_one_barrier) {
  const auto run = run_block_scan(subgroup_text(), some_values(256), 8, LaneOrder::descending);
  EXPECT_EQ(run.at_barriers.size(), 1u);
}

TEST(BlockSubgroupsTextTest, mutation_without_the_barrier) {
  for (const std::uint32_t size : {4u, 8u, 32u, 128u}) {
    EXPECT_EQ(right_orders(without_barrier(subgroup_text(), 0), size), Orders{LaneOrder::ascending})
        << "subgroups of " << size;
  }
}

TEST(WgslStepsTest, what_is_not_understood_is_an_error) {
  const std::string strange =
      with_replaced(portable_text(), "ladder[lane] = through;", "ladder[lane] = max(through, 1u);");
  EXPECT_THROW(run_block_scan(strange, some_values(8), kLane, LaneOrder::ascending),
               std::runtime_error);
  EXPECT_THROW(run_block_scan("", {1}, kLane, LaneOrder::ascending), std::runtime_error);
}

}  // namespace
}  // namespace wgprim::testing
