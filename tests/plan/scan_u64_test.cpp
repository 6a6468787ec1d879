// Sums of split 64-bit words (contract U-1, U-2, U-3): the cases on both paths, run on the host
// word by word; the passes, scratch and bindings of their plans.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/random_scan.hpp"
#include "support/split_cases.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr Path kPaths[] = {Path::chained, Path::reduce_then_scan};
constexpr ScanMode kModes[] = {ScanMode::exclusive, ScanMode::inclusive};

ScanCase on_path(ScanCase scan, Path path) {
  scan.path = path;
  return scan;
}

Plan plan_of(const ScanCase& scan) {
  auto plan = plan_scan(scan);
  if (!plan) throw std::runtime_error(plan.error().message);
  return *std::move(plan);
}

/// On both paths, in both modes, with subgroups and without.
void expect_right(ScanCase scan) {
  for (const Path path : kPaths) {
    for (const bool has_subgroups : {false, true}) {
      for (const ScanMode mode : kModes) {
        scan.path = path;
        scan.mode = mode;
        const DeviceProfile profile{.capabilities = {.subgroups = has_subgroups}};
        const auto plan = plan_scan(scan, profile);
        ASSERT_TRUE(plan) << plan.error().message << "\n" << scan;
        const auto checked = check_on_host(*plan, scan);
        EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
      }
    }
  }
}

/// "scan.high0 of 8", and so on.
std::vector<std::string> transients_of(const Plan& plan) {
  std::vector<std::string> texts;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::transient)
      texts.push_back(concat(buffer.id, " of ", buffer.bytes));
  }
  return texts;
}

std::size_t copies_of(const Plan& plan) {
  return static_cast<std::size_t>(std::ranges::count_if(
      plan.passes, [](const PlanPass& pass) { return std::holds_alternative<PlanCopy>(pass); }));
}

class SplitCaseTest : public ::testing::TestWithParam<SplitCase> {};

INSTANTIATE_TEST_SUITE_P(ScanU64, SplitCaseTest, ::testing::ValuesIn(split_cases()),
                         [](const auto& tested) { return tested.param.name; });
INSTANTIATE_TEST_SUITE_P(M6, SplitCaseTest, ::testing::ValuesIn(split_carries()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(SplitCaseTest, both_paths_and_modes_equal_the_oracle) { expect_right(GetParam().scan); }

TEST(ScanU64Test, contract_U_1_values_of_the_cases) {
  for (const auto& [name, scan] : split_cases()) {
    if (scan.rows() != 6) continue;
    const Image image = interpret(plan_of(scan), image_before(scan)).value();
    Words low = rows_in(image, scan.output);
    Words high = rows_in(image, scan.output_high);
    EXPECT_EQ(Words(low.begin() + 6, low.end()), Words(low.size() - 6, 77)) << name;
    EXPECT_EQ(Words(high.begin() + 6, high.end()), Words(high.size() - 6, 77)) << name;
    low.resize(6);
    high.resize(6);
    EXPECT_EQ(low, (Words{0xffffffff, 0, 0, 0xfffffffe, 1, 6})) << name;
    EXPECT_EQ(high, (Words{0xffffffff, 0, 1, 4, 3, 3})) << name;
  }
}

TEST(ScanU64Test, case_C15_nothing_is_planned) {
  EXPECT_TRUE(plan_of(split_scan({0}, {0})).passes.empty());
  ScanCase scan = split_scan({0, 0}, {0, 0});
  scan.output_high = {{scan.input_high[0].buffer, 1, 4}};
  EXPECT_TRUE(plan_of(scan).passes.empty());
}

TEST(ScanU64Test, contract_SC_8_dispatches_are_those_of_a_scan) {
  const std::pair<std::uint64_t, std::size_t> expected[] = {
      {1, 1}, {256, 1}, {257, 3}, {65536, 3}, {65537, 5}};
  for (const auto& [rows, dispatches] : expected)
    EXPECT_EQ(plan_of(split_scan({rows}, {rows})).dispatches.size(), dispatches) << rows;
}

TEST(ScanU64Test, contract_SC_13_chunks_of_one_buffer_are_one_dispatch_a_pass) {
  for (const Path path : kPaths) {
    ScanCase scan = on_path(split_scan({5000}, {5000}), path);
    scan.input_high = {{1, 100, 4}, {1, 4000, 408}, {1, 900, 16412}};
    scan.buffers[1].bytes += 12;
    EXPECT_EQ(plan_of(scan).dispatches.size(), 3u);
    expect_right(scan);
  }
}

TEST(ScanU64Test, contract_V_9_aligned_operands_go_four_rows_at_a_time) {
  ScanCase scan = on_path(split_scan({3001}, {3001}), Path::reduce_then_scan);
  const auto has_quads = [&] {
    return std::ranges::any_of(plan_of(scan).kernels, [](const PlanKernel& kernel) {
      return std::ranges::find(kernel.slots, std::pair<std::string, std::string>(
                                                 "target", "target_split_quads")) !=
             kernel.slots.end();
    });
  };
  EXPECT_FALSE(has_quads());
  for (auto* chunks : {&scan.input, &scan.output, &scan.input_high})
    chunks->front().byte_offset = 0;
  EXPECT_FALSE(has_quads()) << "one operand is not aligned";
  scan.output_high.front().byte_offset = 0;
  EXPECT_TRUE(has_quads());
  expect_right(scan);
}

TEST(ScanU64Test, contract_U_3_scratch_follows_the_chunks_of_the_high_input) {
  ScanCase scan = split_scan({6}, {2, 0, 4}, 0);
  const std::uint32_t buffer = scan.input_high[2].buffer;
  scan.output_high = {{buffer, 4, 8}, {scan.output_high[0].buffer, 2, 4}};
  const Plan plan = plan_of(scan);
  EXPECT_EQ(copies_of(plan), 2u);
  EXPECT_EQ(transients_of(plan),
            (std::vector<std::string>{"scan.high0 of 8", "scan.high1 of 16", "scan.sums1 of 24"}))
      << "three sections have a total each";
}

TEST(ScanU64Test, contract_U_2_the_same_views_take_no_copy) {
  for (const auto& [name, scan] : split_cases()) {
    if (!name.starts_with("case_C38")) continue;
    const bool is_in_place = name == "case_C38_same_view" || name == "case_C38_same_views";
    EXPECT_EQ(copies_of(plan_of(scan)) == 0, is_in_place) << name;
  }
}

TEST(ScanU64Test, scenario_S18_no_dispatch_binds_more_than_eight_buffers) {
  for (const Path path : kPaths) {
    ScanCase scan = with_count(on_path(split_scan({5000}, {5000}), path), 4000);
    scan.input = {{0, 100, 4}, {0, 4900, 412}};
    scan.buffers[0].bytes += 8;
    const Plan plan = plan_of(scan);
    EXPECT_EQ(find_faults(plan, {}), std::vector<std::string>());
    const auto most = std::ranges::max(
        plan.dispatches, {}, [](const PlanDispatch& dispatch) { return dispatch.bindings.size(); });
    EXPECT_EQ(most.bindings.size(), 7u);
    expect_right(scan);
  }
}

TEST(ScanU64Test, contract_SC_16_counts_of_rows) {
  for (const std::uint32_t count : {0u, 1u, 999u, 1000u, 1001u, 0xffffffffu}) {
    expect_right(with_count(split_scan({1000}, {400, 600}), count));
    ScanCase scan = split_scan({1000}, {1000}, 0);
    scan.output_high = scan.input_high;
    scan.encoded_rows = std::min(count, 1000u);
    expect_right(scan);
    scan.output_high[0].byte_offset = 0;
    expect_right(scan);
  }
}

RC_GTEST_PROP(ScanU64Test, random_plans_break_no_rule_and_equal_the_oracle, ()) {
  const RandomScan random = *random_split_scans();
  const auto plan = plan_scan(random.scan, random.profile);
  if (!plan) RC_FAIL(plan.error().message);
  RC_ASSERT(find_faults(*plan, random.profile) == std::vector<std::string>());
  const auto checked = check_on_host(*plan, random.scan);
  if (!checked) RC_FAIL(checked.error().message);
}

}  // namespace
}  // namespace wgprim::testing
