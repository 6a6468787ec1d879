// Prefix sums of split 64-bit words: the acceptance cases, scanned span by span as the partitions
// of low and high words cut them, and 64-bit rows.
#include "reference/split_scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "reference/random_rows.hpp"
#include "reference/row_scan.hpp"

namespace wgprim::reference {
namespace {

using Words = std::vector<std::uint32_t>;
using Lengths = std::vector<std::size_t>;

Words cycle(std::size_t rows, const std::array<std::uint32_t, 6>& values) {
  Words words(rows);
  for (std::size_t row = 0; row < rows; ++row)
    words[row] = values[row % values.size()];
  return words;
}

Words low_words(std::size_t rows) { return cycle(rows, {0xffffffff, 1, 0, 0xfffffffe, 3, 5}); }
Words high_words(std::size_t rows) { return cycle(rows, {0xffffffff, 0, 1, 3, 0xfffffffe, 0}); }

std::vector<std::size_t> ends_of(const Lengths& lengths) {
  std::vector<std::size_t> ends(lengths.size());
  std::inclusive_scan(lengths.begin(), lengths.end(), ends.begin());
  return ends;
}

/// The inclusive scan of the cases' rows, one span after the other, each a row range within one
/// chunk of either partition, carry by carry.
SplitWords scan_by_spans(const Lengths& low_lengths, const Lengths& high_lengths) {
  std::vector<std::size_t> ends;
  std::ranges::merge(ends_of(low_lengths), ends_of(high_lengths), std::back_inserter(ends));
  const Words low = low_words(ends.back());
  const Words high = high_words(ends.back());
  SplitWords joined;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const auto span = split_scan(std::span(low).subspan(begin, end - begin),
                                 std::span(high).subspan(begin, end - begin), ScanMode::inclusive,
                                 joined.carry_out);
    joined.low.insert(joined.low.end(), span->low.begin(), span->low.end());
    joined.high.insert(joined.high.end(), span->high.begin(), span->high.end());
    joined.carry_out = span->carry_out;
    begin = end;
  }
  return joined;
}

void expect_six_rows(const Lengths& low_lengths, const Lengths& high_lengths) {
  const SplitWords sums = scan_by_spans(low_lengths, high_lengths);
  EXPECT_EQ(sums.low, (Words{0xffffffff, 0, 0, 0xfffffffe, 1, 6}));
  EXPECT_EQ(sums.high, (Words{0xffffffff, 0, 1, 4, 3, 3}));
  EXPECT_EQ(sums.carry_out, 0x300000006u);
}

TEST(SplitScanTest, case_C01) {
  const auto whole = split_scan(low_words(6), high_words(6), ScanMode::inclusive);
  EXPECT_EQ(whole->low, (Words{0xffffffff, 0, 0, 0xfffffffe, 1, 6}));
  EXPECT_EQ(whole->high, (Words{0xffffffff, 0, 1, 4, 3, 3}));
}

TEST(SplitScanTest, case_C02) { expect_six_rows({6}, {6}); }
TEST(SplitScanTest, case_C03) { expect_six_rows({2, 4}, {2, 4}); }
TEST(SplitScanTest, case_C04) { expect_six_rows({0, 2, 0, 4, 0}, {0, 2, 0, 4, 0}); }
TEST(SplitScanTest, case_C05) { expect_six_rows({2, 0, 4}, {0, 1, 3, 2}); }
TEST(SplitScanTest, case_C06) { expect_six_rows({6}, {1, 0, 5}); }

TEST(SplitScanTest, case_C07) {
  const SplitWords sums = scan_by_spans({0, 257, 512, 0, 260, 0}, {1, 256, 700, 72});
  ASSERT_EQ(sums.low.size(), 1029u);
  const auto row = [&](std::size_t i) { return std::pair(sums.low[i], sums.high[i]); };
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_EQ(row(255), Pair(0xfa, 0x83));
  EXPECT_EQ(row(256), Pair(0xfd, 0x81));
  EXPECT_EQ(row(257), Pair(0x102, 0x81));
  EXPECT_EQ(row(511), Pair(0x1fe, 0xff));
  EXPECT_EQ(row(512), Pair(0x1fe, 0x100));
  EXPECT_EQ(row(768), Pair(0x2ff, 0x180));
  EXPECT_EQ(row(769), Pair(0x300, 0x180));
  EXPECT_EQ(row(1028), Pair(0x402, 0x202));
}

TEST(SplitScanTest, case_C15) {
  const auto sums = split_scan({}, {}, ScanMode::inclusive);
  EXPECT_TRUE(sums->low.empty() && sums->high.empty());
  EXPECT_EQ(sums->carry_out, 0u);
}

TEST(SplitScanTest, equals_the_scan_of_64_bit_rows_in_both_modes) {
  const Words low = random_rows(1000, 1);
  const Words high = random_rows(1000, 2);
  Words rows;
  for (std::size_t row = 0; row < low.size(); ++row)
    rows.insert(rows.end(), {low[row], high[row]});
  for (const ScanMode mode : {ScanMode::exclusive, ScanMode::inclusive}) {
    const auto expected = scan_rows(rows, sum_of(ElementType::u64), {.mode = mode});
    const auto sums = split_scan(low, high, mode);
    for (std::size_t row = 0; row < low.size(); ++row) {
      ASSERT_EQ(sums->low[row], expected->output[2 * row]) << row;
      ASSERT_EQ(sums->high[row], expected->output[2 * row + 1]) << row;
    }
    EXPECT_EQ(to_row(sums->carry_out), expected->carry_out);
  }
}

TEST(SplitScanTest, refuses_unequal_lengths) {
  const auto sums = split_scan(Words{1, 2}, Words{1}, ScanMode::inclusive);
  ASSERT_FALSE(sums);
  EXPECT_EQ(sums.error().message, "There are 2 low words but 1 high words.");
}

}  // namespace
}  // namespace wgprim::reference
