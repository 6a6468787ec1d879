// The one-call forms on host memory: every type, what options change, what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/gpu_fixture.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::testing {
namespace {

class OneCallTest : public GpuTest {};

/// 1, -2, 3, ... in any type.
template <class T>
std::vector<T> alternating(std::size_t rows) {
  std::vector<T> values(rows);
  for (std::size_t row = 0; row < rows; ++row)
    values[row] =
        static_cast<T>(row % 2 == 0 ? T{1} : static_cast<T>(T{0} - T{1})) * static_cast<T>(row + 1);
  return values;
}

template <class T>
void expect_family(Device& device) {
  const std::vector<T> rows = alternating<T>(1000);
  std::vector<T> sums(rows.size());
  std::inclusive_scan(rows.begin(), rows.end(), sums.begin(), std::plus<T>());
  EXPECT_EQ(must(inclusive_scan(device, rows, ScanOptions{})), sums);

  std::vector<T> least(rows.size());
  const auto smaller = [](T a, T b) { return std::min(a, b); };
  std::inclusive_scan(rows.rbegin(), rows.rend(), least.rbegin(), smaller);
  const ScanOptions options{.op = {OperatorKind::min}, .is_reverse = true};
  EXPECT_EQ(must(inclusive_scan(device, rows, options)), least);

  EXPECT_EQ(must(reduce(device, rows)), sums.back());
  EXPECT_EQ(must(reduce(device, rows, {.op = {OperatorKind::min}})), least.front());
}

TEST_F(OneCallTest, rows_of_every_type) {
  expect_family<std::uint32_t>(device());
  expect_family<std::int32_t>(device());
  expect_family<float>(device());
  expect_family<std::uint64_t>(device());
  expect_family<std::int64_t>(device());
}

TEST_F(OneCallTest, contract_U_1_numbers_whose_words_lie_apart) {
  const std::vector<std::uint32_t> low = {0xffffffff, 1, 0, 0xfffffffe, 3, 5};
  const std::vector<std::uint32_t> high = {0xffffffff, 0, 1, 3, 0xfffffffe, 0};
  const auto sums = must(scan_u64(device(), low, high));
  EXPECT_EQ(sums.low, (std::vector<std::uint32_t>{0, 0xffffffff, 0, 0, 0xfffffffe, 1}));
  EXPECT_EQ(sums.high, (std::vector<std::uint32_t>{0, 0xffffffff, 0, 1, 4, 3}));
  const auto inclusive = must(scan_u64(device(), low, high, {.mode = ScanMode::inclusive}));
  EXPECT_EQ(inclusive.low, (std::vector<std::uint32_t>{0xffffffff, 0, 0, 0xfffffffe, 1, 6}));
  EXPECT_EQ(inclusive.high, (std::vector<std::uint32_t>{0xffffffff, 0, 1, 4, 3, 3}));
  EXPECT_TRUE(must(scan_u64(device(), {}, {})).low.empty());
  const auto refused = scan_u64(device(), low, std::span(high).first(5));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "There are 6 low words but 5 high words.");
}

TEST_F(OneCallTest, segments_and_start_values) {
  const std::array rows = {3, 1, 4, 2};
  const std::vector<std::uint32_t> flags = {0, 0, 7, 0};
  using Rows = std::vector<std::int32_t>;
  EXPECT_EQ(must(exclusive_scan(device(), rows, {.init = -5}, flags)), (Rows{-5, -2, -5, -1}));
  EXPECT_EQ(must(inclusive_scan(device(), rows, {.is_reverse = true}, flags)),
            (Rows{4, 1, 6, 2}));  // Row 2 ends the segment of rows 3 and 2.
  EXPECT_EQ(must(exclusive_scan(device(), std::span(rows), ScanOptions{}, flags)),
            (Rows{0, 3, 0, 4}));
}

TEST_F(OneCallTest, nothing_gives_nothing_and_the_identity) {
  const std::vector<std::int64_t> none;
  EXPECT_TRUE(must(exclusive_scan(device(), none, ScanOptions{})).empty());
  EXPECT_EQ(must(reduce(device(), none)), 0);
  EXPECT_EQ(must(reduce(device(), none, {.op = {OperatorKind::max}})),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(must(reduce(device(), std::vector<float>{}, {.op = {OperatorKind::min}})),
            std::numeric_limits<float>::infinity());
}

TEST_F(OneCallTest, the_report_is_of_the_plan) {
  const std::vector<std::uint32_t> words = {1, 0, 2, 0, 3, 0};
  const auto report =
      must(reduce(device(), words, {.format = Format::uint64, .path = Path::chained}, {}));
  EXPECT_EQ(report.rows, 3u);
  EXPECT_EQ(report.path, "chained");
  EXPECT_EQ(report.value, RowValue(std::uint64_t{6}));
}

TEST_F(OneCallTest, what_does_not_fit_is_refused) {
  const std::vector<std::uint32_t> words(3);
  const auto refuse = [&](const ScanOptions& options, std::span<const std::uint32_t> flags) {
    const auto ignore = [](std::span<const std::uint32_t>) -> Result<void> { return {}; };
    const auto report = scan(device(), words, ignore, options, {}, flags);
    if (report) return std::string();
    EXPECT_EQ(report.error().code, ErrorCode::invalid_argument);
    return report.error().message;
  };
  EXPECT_EQ(refuse({.format = Format::uint64}, {}), "3 words are no whole rows of uint64.");
  EXPECT_EQ(refuse({.is_segmented = true}, std::span(words).first(2)),
            "There are 2 segment flags for 3 rows.");
  EXPECT_EQ(refuse({}, words), "3 segment flags come with a scan that is not segmented.");
  EXPECT_NE(refuse({.init = 0.5f}, {}), "");
  EXPECT_FALSE(reduce(device(), words, {.format = Format::int64}, {}));
  EXPECT_FALSE(exclusive_scan(device(), words, ScanOptions{}, std::span(words).first(2)));
}

TEST_F(OneCallTest, plans_need_no_device) {
  DeviceProfile profile;
  profile.limits.max_buffer_size = 1024;
  const Plan plan = must(plan_reduce(1000, {.format = Format::uint64}, profile));
  EXPECT_EQ(plan.buffers.front().id, "input0");
  EXPECT_FALSE(plan_reduce(kMaxRows + 1, {}, DeviceProfile{}));
}

TEST_F(OneCallTest, carries_have_no_place_in_one_call) {
  const std::vector<std::uint32_t> rows = {5, 7, 9};
  EXPECT_EQ(reduce(device(), rows, {.has_carry_in = true}).error().message,
            "A reduction in one call has no carries: nobody could fill or read them.");
  EXPECT_EQ(exclusive_scan(device(), rows, {.has_carry_out = true}).error().message,
            "A scan in one call has no carries: nobody could fill or read them.");
}

}  // namespace
}  // namespace wgprim::testing
