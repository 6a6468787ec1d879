// The oracle against the standard library, against literal values of the acceptance cases, and
// against relations that need no running sum.
#include "reference/scan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace wgprim::reference {
namespace {

using Words = std::vector<std::uint32_t>;

Words words(std::size_t rows, auto value_of_row) {
  Words values(rows);
  for (std::size_t i = 0; i < rows; ++i)
    values[i] = static_cast<std::uint32_t>(value_of_row(i));
  return values;
}

Words input_of_a10() {
  return words(65537, [](std::size_t i) { return i == 0 ? 0xffffffffu : i % 7 + 1; });
}

void expect_rows(const Words& found,
                 const std::vector<std::pair<std::size_t, std::uint32_t>>& rows) {
  for (const auto& [row, value] : rows)
    EXPECT_EQ(found.at(row), value) << "row " << row;
}

TEST(ReferenceScanTest, contract_SC_7) {
  EXPECT_EQ(exclusive_scan(Words{3, 1, 4, 2}), (Words{0, 3, 4, 8}));
  EXPECT_EQ(inclusive_scan(Words{3, 1, 4, 2}), (Words{3, 4, 8, 10}));
  EXPECT_EQ(exclusive_scan(Words{3, 1, 4, 2}, Words{1, 0, 1, 0}), (Words{0, 3, 0, 4}));
  EXPECT_EQ(inclusive_scan(Words{3, 1, 4, 2}, Words{1, 0, 1, 0}), (Words{3, 4, 4, 6}));
  EXPECT_EQ(exclusive_scan(Words{1, 0, 1, 1}), (Words{0, 1, 1, 2}));
  EXPECT_EQ(inclusive_scan(Words{1, 0, 1, 1}), (Words{1, 1, 2, 3}));
  EXPECT_EQ(exclusive_scan(Words{1, 0, 1, 1}, Words{1, 0, 1, 1}), (Words{0, 1, 0, 0}));
  EXPECT_EQ(inclusive_scan(Words{1, 0, 1, 1}, Words{1, 0, 1, 1}), (Words{1, 1, 1, 1}));
}

TEST(ReferenceScanTest, case_A02) { EXPECT_EQ(exclusive_scan(Words{0}), Words{0}); }

TEST(ReferenceScanTest, case_A03) {
  EXPECT_EQ(exclusive_scan(words(2, [](std::size_t i) { return i % 5; })), (Words{0, 0}));
}

TEST(ReferenceScanTest, case_A04) { EXPECT_EQ(exclusive_scan(Words(63, 0)), Words(63, 0)); }

TEST(ReferenceScanTest, case_A05) {
  EXPECT_EQ(exclusive_scan(Words(64, 1)), words(64, [](std::size_t i) { return i; }));
}

TEST(ReferenceScanTest, case_A06) {
  const Words output = exclusive_scan(words(65, [](std::size_t i) { return i; }));
  EXPECT_EQ(output, words(65, [](std::size_t i) { return i * (i - 1) / 2; }));
  EXPECT_EQ(output.back(), 2016u);
}

TEST(ReferenceScanTest, case_A10) {
  expect_rows(inclusive_scan(input_of_a10()), {{0, 0xffffffff},
                                               {1, 1},
                                               {2, 4},
                                               {255, 1016},
                                               {256, 1021},
                                               {65535, 262137},
                                               {65536, 262140}});
}

TEST(ReferenceScanTest, case_A11) {
  Words flags(65537, 0);
  for (const std::size_t row : {0u, 17u, 255u, 256u, 257u, 1025u, 65535u, 65536u}) {
    flags[row] = row % 2 == 0 ? 7 : 1;
  }
  expect_rows(exclusive_scan(input_of_a10(), flags), {{1, 0xffffffff},
                                                      {16, 57},
                                                      {17, 0},
                                                      {18, 4},
                                                      {254, 949},
                                                      {255, 0},
                                                      {256, 0},
                                                      {257, 0},
                                                      {258, 6},
                                                      {1024, 3068},
                                                      {1025, 0},
                                                      {65534, 258042},
                                                      {65535, 0},
                                                      {65536, 0}});
}

TEST(ReferenceScanTest, case_J03) {
  EXPECT_EQ(inclusive_scan(Words(257, 0xffffffff)),
            words(257, [](std::size_t i) { return (std::uint64_t{1} << 32) - (i + 1); }));
}

TEST(ReferenceScanTest, empty_input_gives_empty_output) {
  EXPECT_TRUE(exclusive_scan(Words{}).empty());
  EXPECT_TRUE(inclusive_scan(Words{}).empty());
}

TEST(ReferenceScanTest, sums_64_bits_where_asked) {
  const std::vector<std::uint64_t> values{0xffffffff, 1, UINT64_MAX};
  EXPECT_EQ(inclusive_scan<std::uint64_t>(values),
            (std::vector<std::uint64_t>{0xffffffff, 0x100000000, 0xffffffff}));
  EXPECT_EQ(exclusive_scan<std::uint64_t>(values),
            (std::vector<std::uint64_t>{0, 0xffffffff, 0x100000000}));
}

TEST(ReferenceScanTest, equals_the_standard_library_segment_by_segment) {
  std::mt19937 random(42);
  for (const std::size_t rows : {1u, 2u, 255u, 256u, 257u, 1000u}) {
    const Words input = words(rows, [&](std::size_t) { return random(); });
    const Words flags = words(rows, [&](std::size_t) { return random() % 10 == 0 ? random() : 0; });
    Words exclusive(rows);
    Words inclusive(rows);
    for (std::size_t begin = 0; begin < rows;) {
      std::size_t end = begin + 1;
      while (end < rows && flags[end] == 0)
        ++end;
      const auto first = input.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = input.begin() + static_cast<std::ptrdiff_t>(end);
      std::exclusive_scan(first, last, exclusive.begin() + (first - input.begin()), 0u);
      std::inclusive_scan(first, last, inclusive.begin() + (first - input.begin()));
      begin = end;
    }
    EXPECT_EQ(exclusive_scan(input, flags), exclusive);
    EXPECT_EQ(inclusive_scan(input, flags), inclusive);
    EXPECT_EQ(find_broken_relation(input, exclusive, inclusive, flags), std::nullopt);

    std::inclusive_scan(input.begin(), input.end(), inclusive.begin());
    std::exclusive_scan(input.begin(), input.end(), exclusive.begin(), 0u);
    EXPECT_EQ(inclusive_scan(input), inclusive);
    EXPECT_EQ(exclusive_scan(input), exclusive);
    EXPECT_EQ(find_broken_relation(input, exclusive, inclusive), std::nullopt);
  }
}

TEST(BrokenRelationTest, finds_the_row) {
  const Words input{3, 1, 4, 2};
  EXPECT_EQ(find_broken_relation(input, Words{0, 3, 4, 8}, Words{3, 4, 8, 10}), std::nullopt);
  EXPECT_EQ(find_broken_relation(input, Words{1, 3, 4, 8}, Words{4, 4, 8, 10}), 0u);
  EXPECT_EQ(find_broken_relation(input, Words{0, 3, 4, 8}, Words{3, 4, 9, 11}), 2u);
  EXPECT_EQ(find_broken_relation(input, Words{0, 3, 4, 9}, Words{3, 4, 8, 11}), 3u);
  EXPECT_EQ(find_broken_relation(input, Words{0, 3, 4, 8}, Words{3, 4, 8, 10}, Words{0, 0, 5, 0}),
            2u);
}

}  // namespace
}  // namespace wgprim::reference
