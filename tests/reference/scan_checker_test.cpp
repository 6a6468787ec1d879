// The streaming checker: any chunking gives the same verdict, and the first fault is the one told.
#include "reference/scan_checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace wgprim::reference {
namespace {

using Words = std::vector<std::uint32_t>;

Words random_words(std::size_t rows, std::mt19937& random) {
  Words values(rows);
  std::ranges::generate(values, std::ref(random));
  return values;
}

Words sparse_flags(std::size_t rows, std::mt19937& random) {
  Words flags(rows);
  std::ranges::generate(flags, [&] { return random() % 50 == 0 ? 7u : 0u; });
  return flags;
}

// Feeds the arrays in blocks of 0 to 300 rows and returns the last verdict.
Result<void> check_in_pieces(ScanChecker<>& checker, std::span<const std::uint32_t> input,
                             std::span<const std::uint32_t> output, SegmentFlags flags,
                             std::mt19937& random) {
  Result<void> verdict;
  for (std::size_t begin = 0; begin < input.size();) {
    const std::size_t rows = std::min<std::size_t>(random() % 301, input.size() - begin);
    verdict = checker.check(input.subspan(begin, rows), output.subspan(begin, rows),
                            flags.empty() ? flags : flags.subspan(begin, rows));
    begin += rows;
  }
  return verdict;
}

TEST(ScanCheckerTest, accepts_right_results_in_any_pieces) {
  std::mt19937 random(42);
  for (int round = 0; round < 50; ++round) {
    const Words input = random_words(random() % 2000, random);
    const Words flags = round % 2 == 0 ? Words{} : sparse_flags(input.size(), random);
    for (const ScanMode mode : {ScanMode::exclusive, ScanMode::inclusive}) {
      const Words output =
          mode == ScanMode::exclusive ? exclusive_scan(input, flags) : inclusive_scan(input, flags);
      ScanChecker checker(mode);
      EXPECT_TRUE(check_in_pieces(checker, input, output, flags, random));
      EXPECT_EQ(checker.rows_checked(), input.size());
      EXPECT_FALSE(checker.mismatch());
    }
  }
}

TEST(ScanCheckerTest, tells_the_first_of_several_faults_in_any_pieces) {
  std::mt19937 random(43);
  for (int round = 0; round < 50; ++round) {
    const Words input = random_words(1000, random);
    Words output = inclusive_scan(input);
    const std::size_t row = random() % output.size();
    const std::uint32_t right = output[row];
    output[row] ^= 1;
    output.back() ^= 2;
    ScanChecker checker(ScanMode::inclusive);
    ASSERT_FALSE(check_in_pieces(checker, input, output, {}, random));
    ASSERT_TRUE(checker.mismatch());
    EXPECT_EQ(checker.mismatch()->row, row);
    EXPECT_EQ(checker.mismatch()->expected, right);
    EXPECT_EQ(checker.mismatch()->found, output[row]);
    EXPECT_EQ(checker.rows_checked(), row);
  }
}

TEST(ScanCheckerTest, tells_the_modes_apart) {
  ScanChecker checker(ScanMode::exclusive);
  const auto verdict = checker.check(Words{3, 1}, Words{3, 4});
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, ErrorCode::verification_failed);
  EXPECT_EQ(verdict.error().message, "Row 0 of the result is 3, the reference says 0.");
}

TEST(ScanCheckerTest, stays_at_its_mismatch) {
  ScanChecker checker(ScanMode::inclusive);
  EXPECT_TRUE(checker.check(Words{3, 1}, Words{3, 4}));
  EXPECT_FALSE(checker.check(Words{4, 2}, Words{9, 10}));
  const auto verdict = checker.check(Words{1}, Words{11});
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().message, "Row 2 of the result is 9, the reference says 8.");
}

TEST(ScanCheckerTest, refuses_blocks_of_unequal_lengths) {
  ScanChecker checker(ScanMode::inclusive);
  const auto verdict = checker.check(Words{3, 1}, Words{3}, Words{1, 0});
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(verdict.error().message,
            "A block of 2 input rows comes with 1 output rows and 2 segment flags.");
  EXPECT_FALSE(checker.check(Words{3, 1}, Words{3, 4}, Words{1}));
  EXPECT_EQ(checker.rows_checked(), 0u);
  EXPECT_TRUE(checker.check(Words{3, 1}, Words{3, 4}, Words{0, 0}));
}

TEST(ScanCheckerTest, checks_64_bits_where_asked) {
  ScanChecker<std::uint64_t> checker(ScanMode::inclusive);
  const std::vector<std::uint64_t> input{0xffffffff, 1};
  EXPECT_FALSE(checker.check(input, std::vector<std::uint64_t>{0xffffffff, 0}));
  EXPECT_EQ(checker.mismatch()->expected, 0x100000000u);
}

}  // namespace
}  // namespace wgprim::reference
