// Dispatches and bytes of scans and reductions against the contract's model of each path (SC-8,
// SC-9): words a row that the rows cost, and little more for the levels above them.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/case.hpp"
#include "support/plan_faults.hpp"
#include "support/reduce_case.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint64_t kRows = 1 << 20;

/// Bytes moved, in words a row.
double words_a_row(const Result<Plan>& plan, const DeviceProfile& profile) {
  if (!plan) throw std::runtime_error(plan.error().message);
  EXPECT_EQ(find_faults(*plan, profile), std::vector<std::string>());
  const Workload& all = plan->workload;
  return static_cast<double>(all.bytes_read + all.bytes_written) / (4.0 * kRows);
}

struct TrafficTest : ::testing::TestWithParam<bool> {
  /// A scan of aligned rows moves so many words a row, and at most two in a hundred more.
  void expect_scan(double words, Path path, bool is_segmented) const {
    ScanCase scan = aligned_scan(kRows);
    if (is_segmented) {
      scan = with_flags(std::move(scan));
      scan.flags[0].byte_offset = 0;
    }
    scan.path = path;
    expect_words(words, plan_scan(scan, profile));
  }

  void expect_words(double words, const Result<Plan>& plan) const {
    const double found = words_a_row(plan, profile);
    EXPECT_GE(found, words);
    EXPECT_LE(found, words * 1.02);
  }

  DeviceProfile profile{.capabilities = {.subgroups = GetParam()}};
};

INSTANTIATE_TEST_SUITE_P(Subgroups, TrafficTest, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "on" : "off"; });

TEST_P(TrafficTest, contract_SC_8_chained_moves_four_words_a_row) {
  expect_scan(4, Path::chained, false);
}

TEST_P(TrafficTest, contract_SC_9_reduce_then_scan_moves_three_words_a_row) {
  expect_scan(3, Path::reduce_then_scan, false);
}

TEST_P(TrafficTest, contract_SC_9_reduce_then_scan_by_segments_moves_five_words_a_row) {
  expect_scan(5, Path::reduce_then_scan, true);
}

TEST_P(TrafficTest, contract_SC_8_chained_by_segments_reads_the_flags_once_more) {
  expect_scan(5, Path::chained, true);
}

TEST_P(TrafficTest, contract_RD_1_reduce_reads_each_row_once) {
  for (const Path path : {Path::chained, Path::reduce_then_scan})
    expect_words(1, plan_reduction({.rows = {kRows}, .path = path, .lead = 0}, profile));
}

TEST_P(TrafficTest, contract_RD_1_reduce_by_flags_is_a_segmented_scan) {
  // As many words are counted as written as there might be segments.
  expect_words(5, plan_reduction({.rows = {kRows}, .lead = 0, .flags = Words(kRows)}, profile));
}

TEST_P(TrafficTest, case_J01_dispatches_of_reduce_then_scan) {
  const auto dispatches = [&](std::uint64_t rows) {
    ScanCase scan = aligned_scan(rows);
    scan.path = Path::reduce_then_scan;
    return plan_scan(scan, profile).value().dispatches.size();
  };
  const std::uint64_t tile = GetParam() ? 4096 : 1024;
  EXPECT_EQ(dispatches(1), 1u);
  EXPECT_EQ(dispatches(tile), 1u);
  EXPECT_EQ(dispatches(tile + 4), 3u);
  EXPECT_EQ(dispatches(256 * tile), 3u);
  EXPECT_EQ(dispatches(256 * tile + 4), 5u) << "the spine has levels of its own";
}

}  // namespace
}  // namespace wgprim::testing
