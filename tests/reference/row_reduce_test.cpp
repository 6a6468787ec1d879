// The reduce oracle: by hand, against the standard library, and against the scan oracle.
#include "reference/row_reduce.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "reference/row_scan.hpp"
#include "reference/row_test_support.hpp"

namespace wgprim::reference {
namespace {

const RowOperator& u32_sum() {
  static const RowOperator kSum = sum_of(ElementType::u32);
  return kSum;
}

Words totals_by_flags(const Words& words, const Words& flags) {
  const auto result = reduce_rows_by_flags(words, u32_sum(), flags);
  EXPECT_TRUE(result && result->count == result->totals.size());
  return result ? result->totals : Words{};
}

Words totals_by_offsets(const Words& words, const Words& offsets) {
  const auto result = reduce_rows_by_offsets(words, u32_sum(), offsets);
  EXPECT_TRUE(result && result->count + 1 == offsets.size());
  return result ? result->totals : Words{};
}

TEST(RowReduceTest, whole_equals_the_standard_library) {
  std::mt19937_64 random(1);
  for_each_type([&]<typename T>(ElementType type) {
    std::vector<T> values(1000);
    std::ranges::generate(values, [&] { return static_cast<T>(random() % 1000); });
    const Words words = to_words(values);
    EXPECT_EQ(reduce_rows(words, sum_of(type)),
              to_row(std::accumulate(values.begin(), values.end(), T{0})));
    EXPECT_EQ(reduce_rows(words, min_of(type)), to_row(std::ranges::min(values)));
    EXPECT_EQ(reduce_rows(words, max_of(type)), to_row(std::ranges::max(values)));
  });
}

TEST(RowReduceTest, nothing_gives_the_identity) {
  for (const auto& [name, op] : exact_operators())
    EXPECT_EQ(reduce_rows({}, op), op.identity) << name;
  EXPECT_EQ(reduce_rows({}, sum_of(ElementType::f32)), to_row(-0.0f));
  EXPECT_EQ(reduce_rows(to_words(std::vector{-0.0f}), sum_of(ElementType::f32)), to_row(-0.0f));
}

TEST(RowReduceTest, row_0_starts_a_segment_whatever_its_flag) {
  EXPECT_EQ(totals_by_flags({1, 2, 3, 4, 5}, {0, 0, 7, 1, 0}), (Words{3, 3, 9}));
  EXPECT_EQ(totals_by_flags({1, 2, 3, 4, 5}, {1, 0, 7, 1, 0}), (Words{3, 3, 9}));
  EXPECT_EQ(totals_by_flags({1, 2, 3}, {}), Words{6});
  EXPECT_EQ(totals_by_flags({}, {}), Words{});
}

TEST(RowReduceTest, contract_RD_1_offsets) {
  EXPECT_EQ(totals_by_offsets({1, 2, 3, 4, 5}, {0, 0, 3, 3, 5}), (Words{0, 6, 0, 9}));
  EXPECT_EQ(totals_by_offsets({1, 2, 3}, {1, 0xffffffff}), Words{5});
  EXPECT_EQ(totals_by_offsets({1, 2, 3}, {5, 7, 2, 3}), (Words{0, 0, 3}));
  EXPECT_EQ(totals_by_offsets({1, 2, 3}, {2}), Words{});
  EXPECT_EQ(totals_by_offsets({}, {0, 4}), Words{0});
}

TEST(RowReduceTest, totals_are_the_last_inclusive_rows_of_the_segments) {
  std::mt19937 random(2);
  for (const auto& [name, op] : exact_operators()) {
    const Words words = random_row_words(300, op, random);
    const Words flags = random_flags(300, random);
    const auto scan =
        scan_rows(words, op, {.mode = ScanMode::inclusive, .segment_flags = flags}).value();
    Words expected;
    Words offsets{0};
    for (std::uint32_t end = 1; end <= 300; ++end) {
      if (end < 300 && flags[end] == 0) continue;
      offsets.push_back(end);
      const auto last = scan.output.begin() + (end - 1) * op.words;
      expected.insert(expected.end(), last, last + op.words);
    }
    const auto by_flags = reduce_rows_by_flags(words, op, flags).value();
    EXPECT_EQ(by_flags.totals, expected) << name;
    EXPECT_EQ(by_flags.count, offsets.size() - 1) << name;
    EXPECT_EQ(reduce_rows_by_offsets(words, op, offsets).value().totals, expected) << name;
    EXPECT_EQ(reduce_rows(words, op), scan_rows(words, op).value().carry_out) << name;
  }
}

TEST(RowReduceTest, refuses_what_makes_no_sense) {
  EXPECT_EQ(reduce_rows(Words{1}, min_of(ElementType::u64)).error().message,
            "1 words are no whole rows of 2 words.");
  EXPECT_EQ(reduce_rows_by_flags(Words{1}, u32_sum(), Words{1, 1}).error().message,
            "1 rows come with 2 segment flags.");
  EXPECT_EQ(reduce_rows_by_offsets(Words{1}, u32_sum(), {}).error().message,
            "There are no offsets; the ranges of k totals need k + 1.");
}

}  // namespace
}  // namespace wgprim::reference
