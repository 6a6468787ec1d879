// Scans on fewer rows than they were planned for (contract SC-16): what each dispatch says about
// it, and that plans so run compute the oracle's result and touch nothing else, for a count given
// per encode, for one on the device, and for both.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/plan_lines.hpp"
#include "support/random_scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

Plan plan_of(const ScanCase& scan, const DeviceProfile& profile = {}) {
  auto plan = plan_scan(scan, profile);
  if (!plan) throw std::runtime_error(plan.error().message);
  return *std::move(plan);
}

/// A line for each dispatch: "scan_blocks 256..512 of 256" takes the items [256, 512) of 256 rows.
std::string extents(const Plan& plan) {
  std::string text = "\n";
  for (const PlanDispatch& dispatch : plan.dispatches) {
    const PlanExtent& extent = dispatch.extent.value();
    EXPECT_EQ(extent.items_per_workgroup, 256u);
    text += concat(plan.kernels[dispatch.kernel].name, " ", extent.first_item, "..",
                   extent.first_item + extent.items, " of ", extent.rows_per_item, "\n");
  }
  return text;
}

/// A line for each dispatch: "scan_blocks 2x1x1 (257 2)" is its shape, its rows and its groups.
std::string shapes(const Plan& plan) {
  std::string text = "\n";
  for (const PlanDispatch& dispatch : plan.dispatches) {
    const auto [x, y, z] = dispatch.shape;
    text += concat(plan.kernels[dispatch.kernel].name, " ", x, "x", y, "x", z, " (",
                   dispatch.parameters[0], " ", dispatch.parameters[1], ")\n");
  }
  return text;
}

void expect_right(const ScanCase& scan) {
  const auto checked = check_on_host(plan_of(scan), scan);
  EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
}

/// The case for a count given per encode, one on the device, and both, the other being larger.
void expect_right_for_count(ScanCase scan, std::uint32_t count) {
  scan.encoded_rows = std::min<std::uint64_t>(count, scan.rows());
  expect_right(scan);
  expect_right(with_count(scan, 0xffffffff));
  scan.encoded_rows = scan.rows();
  expect_right(with_count(scan, count));
  scan.encoded_rows.reset();
  expect_right(with_count(scan, count));
}

TEST(ScanRowCountTest, contract_SC_16_the_rows_of_the_input_are_the_capacity) {
  EXPECT_EQ(plan_of(separate_scan(1000)).nodes[0].row_capacity, 1000u);
  EXPECT_EQ(plan_of(chunked_scan({300, 4}, {100, 400, 50})).nodes[0].row_capacity, 304u);
  EXPECT_EQ(plan_of(separate_scan(0)).nodes[0].row_capacity, 0u);
}

TEST(ScanRowCountTest, an_item_of_a_level_stands_for_256_of_the_level_below) {
  EXPECT_EQ(extents(plan_of(separate_scan(65537))), R"(
scan_blocks 0..65537 of 1
scan_blocks 0..257 of 256
scan_blocks 0..2 of 65536
add_block_offsets 0..257 of 256
add_block_offsets 0..65537 of 1
)");
}

TEST(ScanRowCountTest, spans_take_their_part_of_a_level) {
  ScanCase scan = separate_scan(1000);
  scan.limits = {"maxStorageBufferBindingSize=2052", "maxBufferSize=4008"};
  EXPECT_EQ(extents(plan_of(scan)), R"(
scan_blocks 0..512 of 1
scan_blocks 512..1000 of 1
scan_blocks 0..4 of 256
add_block_offsets 0..512 of 1
add_block_offsets 512..1000 of 1
)");
}

// Blocks of 100, 200 and 4 rows: the first 101 rows need two, the first 301 three.
TEST(ScanRowCountTest, blocks_cut_short_by_chunks_stand_for_fewer_rows) {
  EXPECT_EQ(extents(plan_of(chunked_scan({300, 4}, {100, 400, 50}))), R"(
scan_blocks 0..100 of 1
scan_blocks 100..300 of 1
scan_blocks 300..304 of 1
scan_blocks 0..3 of 100
add_block_offsets 0..100 of 1
add_block_offsets 100..300 of 1
add_block_offsets 300..304 of 1
)");
}

TEST(ScanRowCountTest, one_row_of_sixteen_million_takes_one_workgroup_a_dispatch) {
  const Plan plan = plan_of(separate_scan(16777217));
  EXPECT_EQ(shapes(with_rows(plan, {{"scan", 1}})), R"(
scan_blocks 1x1x1 (1 1)
scan_blocks 1x1x1 (1 1)
scan_blocks 1x1x1 (1 1)
scan_blocks 1x1x1 (1 1)
add_block_offsets 1x1x1 (1 1)
add_block_offsets 1x1x1 (1 1)
add_block_offsets 1x1x1 (1 1)
)");
  EXPECT_EQ(shapes(with_rows(plan, {{"scan", 65537}})), R"(
scan_blocks 257x1x1 (65537 257)
scan_blocks 2x1x1 (257 2)
scan_blocks 1x1x1 (2 1)
scan_blocks 1x1x1 (1 1)
add_block_offsets 1x1x1 (2 1)
add_block_offsets 2x1x1 (257 2)
add_block_offsets 257x1x1 (65537 257)
)");
  EXPECT_TRUE(with_rows(plan, {{"scan", 0}}).dispatches.empty());
  EXPECT_EQ(with_rows(plan, {{"scan", 16777217}}), plan);
}

TEST(ScanRowCountTest, no_level_takes_more_rows_than_the_one_below_has_blocks) {
  const Plan plan = plan_of(separate_scan(16777217));
  for (const std::uint64_t rows :
       {1u, 255u, 256u, 257u, 65535u, 65536u, 65537u, 100000u, 16777216u}) {
    const Plan lowered = with_rows(plan, {{"scan", rows}});
    for (std::size_t level = 1; level < 4; ++level) {
      EXPECT_EQ(lowered.dispatches[level].parameters[0],
                lowered.dispatches[level - 1].parameters[1])
          << rows << " rows, level " << level;
    }
  }
}

TEST(ScanRowCountTest, a_count_on_the_device_is_read_by_the_dispatches_over_the_rows) {
  const Plan plan = plan_of(with_count(separate_scan(65537), 7));
  std::vector<std::uint32_t> readers;
  for (std::uint32_t i = 0; i < plan.dispatches.size(); ++i) {
    const PlanDispatch& dispatch = plan.dispatches[i];
    if (dispatch.bindings.back().binding != 4) continue;
    readers.push_back(i);
    EXPECT_EQ(dispatch.bindings.back(), (PlanBinding{4, 2, 256, 28}));
    EXPECT_EQ(dispatch.parameters[parameter_places().at("first_row")], 0u);
    EXPECT_EQ(dispatch.parameters[parameter_places().at("count")], 6u);
    EXPECT_LE(dispatch.bindings.size(), 4u);
  }
  EXPECT_EQ(readers, (std::vector<std::uint32_t>{0, 4}));
  EXPECT_EQ(find_faults(plan, {}), std::vector<std::string>());
}

TEST(ScanRowCountTest, case_K04) {
  for (const std::uint32_t count : {0u, 1u, 999u, 1000u, 1001u, 0xffffffffu}) {
    for (const ScanMode mode : {ScanMode::exclusive, ScanMode::inclusive}) {
      expect_right_for_count(separate_scan(1000, mode), count);
      expect_right_for_count(in_place_scan(1000, mode), count);
    }
  }
}

TEST(ScanRowCountTest, counts_around_the_edges_of_blocks_and_levels) {
  for (const std::uint32_t count : {1u, 255u, 256u, 257u, 65535u, 65536u, 65537u, 65600u, 70000u}) {
    expect_right_for_count(separate_scan(70000), count);
    expect_right_for_count(in_place_scan(70000, ScanMode::inclusive), count);
  }
}

TEST(ScanRowCountTest, counts_around_the_edges_of_chunks) {
  for (const std::uint32_t count : {0u, 99u, 100u, 101u, 299u, 300u, 301u, 303u, 304u}) {
    expect_right_for_count(chunked_scan({300, 4}, {100, 400, 50}), count);
  }
  for (const std::uint32_t count : {1u, 29u, 30u, 31u, 689u, 700u, 7000u, 8999u}) {
    expect_right_for_count(chunked_scan(std::vector<std::uint64_t>(300, 30), {700, 8300}), count);
  }
}

TEST(ScanRowCountTest, F15_a_count_above_the_capacity_acts_as_the_capacity) {
  const ScanCase scan = separate_scan(600);
  EXPECT_EQ(with_count(scan, 601).live_rows(), 600u);
  expect_right(with_count(scan, 601));
  expect_right(with_count(scan, 0xffffffff));
}

// Each of these must be noticed, or the tests above would mean little.
TEST(ScanRowCountTest, mutations_of_extents_are_noticed) {
  ScanCase scan = chunked_scan({600, 900}, {1500});
  scan.encoded_rows = 700;
  const auto verdict = [&](const auto& damage) {
    Plan plan = plan_of(scan);
    for (PlanDispatch& dispatch : plan.dispatches)
      damage(*dispatch.extent);
    return check_on_host(plan, scan).has_value();
  };
  EXPECT_TRUE(verdict([](PlanExtent&) {}));
  EXPECT_FALSE(verdict([](PlanExtent& extent) { extent.first_item = 0; }));
  EXPECT_FALSE(verdict([](PlanExtent& extent) { extent.items_per_workgroup = 512; }));
  EXPECT_FALSE(verdict([](PlanExtent& extent) { extent.rows_per_item *= 2; }));
}

RC_GTEST_PROP(RandomRowCountTest, plans_for_fewer_rows_compute_the_oracles_result, ()) {
  const RandomScan random = *random_counted_scans();
  const Plan plan = plan_of(random.scan, random.profile);
  RC_ASSERT(find_faults(plan, random.profile) == std::vector<std::string>());
  const auto checked = check_on_host(plan, random.scan);
  if (!checked) RC_FAIL(checked.error().message);
}

}  // namespace
}  // namespace wgprim::testing
