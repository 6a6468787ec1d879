// The plans of path `reduce-then-scan` (contract SC-9), dispatch by dispatch: tiles, the spine,
// rows four at a time and the tails where a buffer ends within four (V-9).
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "support/case.hpp"
#include "support/kernel_operator.hpp"
#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/plan_lines.hpp"

namespace wgprim::testing {
namespace {

constexpr DeviceProfile kSubgroups{.capabilities = {.subgroups = true}};

/// A plan without fault that computes what the oracle says.
Plan plan_of(ScanCase scan, const DeviceProfile& profile = {}) {
  scan.path = Path::reduce_then_scan;
  auto plan = plan_scan(scan, profile);
  if (!plan) throw std::runtime_error(plan.error().message);
  EXPECT_EQ(find_faults(*plan, profile), std::vector<std::string>()) << scan;
  const auto checked = scan.rows() < 100'000 ? check_on_host(*plan, scan) : Result<void>();
  EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
  return *std::move(plan);
}

/// Of each dispatch, whether it takes rows four at a time.
std::vector<bool> quads_of(const Plan& plan) {
  std::vector<bool> quads;
  for (const PlanDispatch& dispatch : plan.dispatches)
    quads.push_back(fragment_of(plan.kernels[dispatch.kernel], "access") == "access_quads");
  return quads;
}

TEST(ReduceThenScanPlanTest, it_is_what_scans_do_unless_asked) {
  ScanCase scan = aligned_scan(1000);
  scan.path = Path::automatic;
  const Plan plan = plan_scan(scan).value();
  EXPECT_EQ(plan.nodes[0].path, "reduce-then-scan");
  EXPECT_EQ(plan.nodes[0].reason, "moves 3 words a row, chained 4");
}

TEST(ReduceThenScanPlanTest, one_tile_is_one_dispatch_without_scratch) {
  for (const std::uint64_t rows : {1u, 3u, 4u, 256u, 1024u}) {
    const Plan plan = plan_of(aligned_scan(rows));
    EXPECT_EQ(plan.dispatches.size(), 1u);
    EXPECT_EQ(plan.scratch_bytes, 0u);
  }
  EXPECT_EQ(lines_of(plan_of(aligned_scan(1024))), R"(
scan_tiles 1x1x1 (1024 1) output[4096] input[4096]
)");
}

TEST(ReduceThenScanPlanTest, two_tiles_have_a_spine) {
  const Plan plan = plan_of(aligned_scan(1028));
  EXPECT_EQ(lines_of(plan), R"(
reduce_tiles 2x1x1 (1028 2) spine[8] input[4112]
scan_blocks 1x1x1 (2 1) spine[8]
scan_tiles 2x1x1 (1028 2) output[4112] spine[8] input[4112]
)");
  EXPECT_EQ(quads_of(plan), (std::vector<bool>{true, false, true}));
}

TEST(ReduceThenScanPlanTest, a_spine_of_more_than_a_block_is_scanned_as_path_chained_does) {
  EXPECT_EQ(lines_of(plan_of(aligned_scan(1 << 20))), R"(
reduce_tiles 1024x1x1 (1048576 1024) spine[4096] input[4194304]
scan_blocks 4x1x1 (1024 4) spine[4096] spine_sums1[16]
scan_blocks 1x1x1 (4 1) spine_sums1[16]
add_block_offsets 4x1x1 (1024 4) spine[4096] spine_sums1[16]
scan_tiles 1024x1x1 (1048576 1024) output[4194304] spine[4096] input[4194304]
)");
}

TEST(ReduceThenScanPlanTest, contract_SC_9_traffic_is_three_words_a_row_plus_the_spine) {
  for (const std::uint64_t rows : {std::uint64_t{1028}, std::uint64_t{1} << 20}) {
    const std::uint64_t tiles = (rows + 1023) / 1024;
    const std::uint64_t sums = (tiles + 255) / 256;
    const Workload workload = plan_of(aligned_scan(rows)).workload;
    // The spine is written, scanned and read; with sums above it once more, these likewise.
    const bool has_sums = sums > 1;
    const std::uint64_t read = 2 * tiles + (has_sums ? tiles + 2 * sums : 0);
    const std::uint64_t written = 2 * tiles + (has_sums ? tiles + 2 * sums : 0);
    EXPECT_EQ(workload.bytes_read, 4 * (2 * rows + read));
    EXPECT_EQ(workload.bytes_written, 4 * (rows + written));
  }
}

TEST(ReduceThenScanPlanTest, rounds_a_tile_by_width_and_segments) {
  const auto tiles = [](const ScanCase& scan, const DeviceProfile& profile) {
    const Plan plan = plan_of(scan, profile);
    return plan.dispatches.back().shape[0];
  };
  const Operator custom = custom_operators()[3].description();
  EXPECT_EQ(tiles(aligned_scan(1 << 14), {}), 16u) << "one round";
  EXPECT_EQ(tiles(aligned_scan(1 << 14), kSubgroups), 4u) << "four";
  EXPECT_EQ(tiles(with_flags(aligned_scan(1 << 14)), kSubgroups), 8u) << "two";
  EXPECT_EQ(tiles(aligned_scan(1 << 14, 0, Format::uint64), kSubgroups), 8u) << "two";
  EXPECT_EQ(tiles(aligned_scan(1 << 14, 0, Format::uint32x4, custom), kSubgroups), 16u) << "one";
}

TEST(ReduceThenScanPlanTest, contract_V_9_a_length_that_is_no_multiple_of_four_takes_whole_quads) {
  EXPECT_EQ(lines_of(plan_of(aligned_scan(1025, 3))), R"(
reduce_tiles 2x1x1 (1025 2) spine[8] input[4112]
scan_blocks 1x1x1 (2 1) spine[8]
scan_tiles 2x1x1 (1025 2) output[4112] spine[8] input[4112]
)");
}

TEST(ReduceThenScanPlanTest, contract_V_9_a_buffer_that_ends_within_a_quad_has_a_tail) {
  const Plan plan = plan_of(aligned_scan(1027));
  EXPECT_EQ(lines_of(plan), R"(
reduce_tiles 1x1x1 (1024 1) spine[4] input[4096]
reduce_tiles 1x1x1 (3 1 spine=1) spine[8] input@4096[12]
scan_blocks 1x1x1 (2 1) spine[8]
scan_tiles 1x1x1 (1024 1) output[4096] spine[4] input[4096]
scan_tiles 1x1x1 (3 1 spine=1) output@4096[12] spine[8] input@4096[12]
)");
  EXPECT_EQ(quads_of(plan), (std::vector<bool>{true, false, false, true, false}));
}

TEST(ReduceThenScanPlanTest, contract_V_9_one_tile_that_ends_within_a_quad_goes_word_by_word) {
  const Plan plan = plan_of(aligned_scan(1023));
  EXPECT_EQ(plan.dispatches.size(), 1u) << "a tail of its own costs more";
  EXPECT_EQ(quads_of(plan), std::vector<bool>{false});
}

TEST(ReduceThenScanPlanTest, contract_V_9_offsets_that_differ_modulo_16_go_word_by_word) {
  for (const std::uint64_t offset : {4u, 8u, 12u}) {
    ScanCase scan = aligned_scan(2000, 8);
    scan.output[0].byte_offset = offset;
    EXPECT_EQ(quads_of(plan_of(scan)), std::vector<bool>(3)) << offset;
  }
  ScanCase scan = aligned_scan(2000, 8);
  scan.input[0].byte_offset = scan.output[0].byte_offset = 16;
  EXPECT_EQ(quads_of(plan_of(scan)), (std::vector<bool>{true, false, true}));
}

TEST(ReduceThenScanPlanTest, contract_V_9_every_length_and_offset_of_a_quad_is_right) {
  for (std::uint64_t rows = 1020; rows < 1034; ++rows) {
    for (const std::uint64_t room : {0u, 1u, 2u, 3u}) {
      for (const Format format : {Format::uint32, Format::uint64}) {
        plan_of(aligned_scan(rows, room, format));
        ScanCase in_place = with_flags(aligned_scan(rows, room, format));
        in_place.output = in_place.input;
        in_place.is_reverse = rows % 2 == 0;
        plan_of(in_place);
      }
    }
  }
}

TEST(ReduceThenScanPlanTest, contract_V_9_input_below_the_output_does_not_read_into_it) {
  // The results stand right behind the input, where its last quad would reach over the first of
  // them.
  for (const std::uint64_t rows : {2049u, 2050u, 2051u, 2052u}) {
    ScanCase scan{.buffers = {{"data", 8 * rows + 64}},
                  .input = {{0, rows, 8}},
                  .output = {{0, rows, 8 + 4 * rows}}};
    plan_of(scan);
    scan = with_rows_of(scan, Format::uint32x4, custom_operators()[3].description());
    EXPECT_TRUE(quads_of(plan_of(scan))[0]);
  }
}

TEST(ReduceThenScanPlanTest, contract_SC_16_an_item_of_the_spine_stands_for_a_tile) {
  const Plan plan = plan_of(aligned_scan(1028));
  EXPECT_EQ(plan.dispatches[0].extent->items_per_workgroup, 1024u);
  EXPECT_EQ(plan.dispatches[1].extent->rows_per_item, 1024u);
  EXPECT_EQ(plan.dispatches[1].extent->items, 2u);
  EXPECT_EQ(plan.dispatches[2].extent->rows_per_item, 1u);
}

TEST(ReduceThenScanPlanTest, contract_SC_16_a_total_is_written_for_no_rows_too) {
  const Plan plan = plan_of(with_carry_out(aligned_scan(1028)));
  EXPECT_FALSE(plan.dispatches[0].extent->keeps_workgroups);
  EXPECT_TRUE(plan.dispatches[1].extent->keeps_workgroups);
  EXPECT_FALSE(plan.dispatches[2].extent->keeps_workgroups);
  EXPECT_EQ(with_rows(plan, {{"scan", 0}}).dispatches.size(), 1u);
}

TEST(ReduceThenScanPlanTest, contract_SC_16_blocks_cut_short_all_publish_where_it_matters) {
  const auto keeps = [](ScanCase scan) {
    return plan_of(std::move(scan)).dispatches[0].extent->keeps_workgroups;
  };
  const ScanCase cut = chunked_scan({1500, 700}, {2200});
  ScanCase reverse = cut;
  reverse.is_reverse = true;
  EXPECT_FALSE(keeps(cut)) << "stale totals behind the last live block reach nothing";
  EXPECT_TRUE(keeps(reverse));
  EXPECT_TRUE(keeps(with_carry_out(cut)));
}

}  // namespace
}  // namespace wgprim::testing
