// The block scan of the workgroup-scan benchmark as its WGSL is written, run lane by lane.
#include <gtest/gtest.h>

#include "kernels/assemble.hpp"
#include "reference/scan.hpp"
#include "support/lane_machine.hpp"
#include "support/mutation.hpp"

namespace wgprim::testing {
namespace {

std::string portable_text() {
  return text_of(kernels::specialise("workgroup_scan_benchmark").value());
}

Words some_values(std::uint32_t count) {
  Words values(count);
  for (std::uint32_t i = 0; i < count; ++i)
    values[i] = (i + 1) * 2654435761u;
  return values;
}

bool is_right(const std::string& text, LaneOrder order) {
  const Words values = some_values(256);
  const BlockRun run = run_lanes(text, values, {.order = order});
  return run.fault.empty() && run.before == reference::exclusive_scan(values) &&
         run.through == reference::inclusive_scan(values);
}

TEST(WorkgroupScanTextTest, is_right_in_any_order) {
  EXPECT_TRUE(is_right(portable_text(), LaneOrder::ascending));
  EXPECT_TRUE(is_right(portable_text(), LaneOrder::descending));
}

TEST(WorkgroupScanTextTest, contract_BW_2_takes_17_barriers_a_round_at_256_lanes) {
  EXPECT_EQ(run_lanes(portable_text(), some_values(256), {}).at_barriers.size(), 17u);
  EXPECT_EQ(run_lanes(portable_text(), some_values(512), {}).at_barriers.size(), 19u);
  EXPECT_EQ(count_barriers(portable_text()), 3u) << "none in the rounds outside the block scan";
}

TEST(WorkgroupScanTextTest, takes_2_barriers_a_round_with_subgroups) {
  const auto text = text_of(kernels::specialise("workgroup_scan_benchmark_subgroup").value());
  EXPECT_EQ(run_lanes(text, some_values(256), {.subgroup_size = 8}).at_barriers.size(), 1u);
  EXPECT_EQ(count_barriers(text), 2u);
}

TEST(WorkgroupScanTextTest, mutations_without_any_one_barrier_are_wrong_in_some_order) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string text = without_barrier(portable_text(), i);
    EXPECT_FALSE(is_right(text, LaneOrder::ascending) && is_right(text, LaneOrder::descending))
        << "barrier " << i;
  }
}

}  // namespace
}  // namespace wgprim::testing
