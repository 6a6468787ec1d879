// The scan oracle: the acceptance cases literally, the standard library with every operator, and
// relations between its options.
#include "reference/row_scan.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "reference/row_test_support.hpp"

namespace wgprim::reference {
namespace {

using enum ScanMode;

RowScanResult scanned(const Words& words, const RowOperator& op, const RowScanDescription& how) {
  auto result = scan_rows(words, op, how);
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(RowScanResult{});
}

/// Of u32 sums.
Words sums(const Words& words, const RowScanDescription& how) {
  return scanned(words, sum_of(ElementType::u32), how).output;
}

std::uint32_t carry_out(const Words& words, const RowScanDescription& how) {
  return scanned(words, sum_of(ElementType::u32), how).carry_out[0];
}

Words flipped(Words words, std::size_t row_words) {
  for (std::size_t row = 0; row < words.size(); row += row_words)
    std::reverse(words.begin() + static_cast<std::ptrdiff_t>(row),
                 words.begin() + static_cast<std::ptrdiff_t>(row + row_words));
  std::ranges::reverse(words);
  return words;
}

TEST(RowScanTest, contract_SC_7) {
  const Words flags{1, 0, 1, 0};
  EXPECT_EQ(sums({3, 1, 4, 2}, {.mode = exclusive}), (Words{0, 3, 4, 8}));
  EXPECT_EQ(sums({3, 1, 4, 2}, {.mode = inclusive}), (Words{3, 4, 8, 10}));
  EXPECT_EQ(sums({3, 1, 4, 2}, {.mode = exclusive, .segment_flags = flags}), (Words{0, 3, 0, 4}));
  EXPECT_EQ(sums({3, 1, 4, 2}, {.mode = inclusive, .segment_flags = flags}), (Words{3, 4, 4, 6}));
  EXPECT_EQ(sums({1, 0, 1, 1}, {.mode = exclusive}), (Words{0, 1, 1, 2}));
  EXPECT_EQ(sums({1, 0, 1, 1}, {.mode = inclusive}), (Words{1, 1, 2, 3}));
  EXPECT_EQ(sums({1, 0, 1, 1}, {.mode = exclusive, .segment_flags = flags}), (Words{0, 1, 0, 1}));
  EXPECT_EQ(sums({1, 0, 1, 1}, {.mode = inclusive, .segment_flags = flags}), (Words{1, 1, 1, 2}));
}

TEST(RowScanTest, case_K01) {
  const Words input{1, 2, 3};
  EXPECT_EQ(sums(input, {.mode = exclusive, .carry_in = Row{10}}), (Words{10, 11, 13}));
  EXPECT_EQ(sums(input, {.mode = inclusive, .carry_in = Row{10}}), (Words{11, 13, 16}));
  EXPECT_EQ(carry_out(input, {.mode = exclusive, .carry_in = Row{10}}), 16u);
  EXPECT_EQ(carry_out(input, {.mode = inclusive, .carry_in = Row{10}}), 16u);
  const Words second{0, 1, 0};
  EXPECT_EQ(sums(input, {.segment_flags = second, .carry_in = Row{10}}), (Words{10, 0, 2}));
  EXPECT_EQ(carry_out(input, {.segment_flags = second, .carry_in = Row{10}}), 5u);
  const Words first{1, 0, 0};
  EXPECT_EQ(sums(input, {.segment_flags = first, .carry_in = Row{10}}), (Words{0, 1, 3}));
  EXPECT_EQ(carry_out(input, {.segment_flags = first, .carry_in = Row{10}}), 6u);
}

TEST(RowScanTest, case_K02) {
  const Words flags{0, 1, 0};
  EXPECT_EQ(sums({1, 2, 3}, {.mode = exclusive, .init = Row{5}}), (Words{5, 6, 8}));
  EXPECT_EQ(sums({1, 2, 3}, {.mode = inclusive, .init = Row{5}}), (Words{6, 8, 11}));
  EXPECT_EQ(sums({1, 2, 3}, {.segment_flags = flags, .init = Row{5}}), (Words{5, 5, 7}));
}

TEST(RowScanTest, case_K03) {
  const Words flags{0, 1, 0};
  EXPECT_EQ(sums({1, 2, 3}, {.mode = inclusive, .is_reverse = true}), (Words{6, 5, 3}));
  EXPECT_EQ(sums({1, 2, 3}, {.mode = exclusive, .is_reverse = true}), (Words{5, 3, 0}));
  EXPECT_EQ(sums({1, 2, 3}, {.mode = inclusive, .segment_flags = flags, .is_reverse = true}),
            (Words{1, 5, 3}));
}

TEST(RowScanTest, reverse_carries_enter_the_last_row_and_leave_row_0) {
  const RowScanDescription reverse{.is_reverse = true, .carry_in = Row{10}};
  EXPECT_EQ(sums({1, 2, 3}, reverse), (Words{15, 13, 10}));
  EXPECT_EQ(carry_out({1, 2, 3}, reverse), 16u);
  const Words last_flagged{0, 0, 1};  // ends the carry's segment with the last row
  EXPECT_EQ(
      sums({1, 2, 3}, {.segment_flags = last_flagged, .is_reverse = true, .carry_in = Row{10}}),
      (Words{2, 0, 10}));
  const Words first_flagged{1, 0, 0};
  EXPECT_EQ(carry_out({1, 2, 3}, {.segment_flags = first_flagged, .is_reverse = true}), 0u);
  EXPECT_EQ(
      carry_out({1, 2, 3}, {.segment_flags = first_flagged, .is_reverse = true, .init = Row{5}}),
      5u);
}

TEST(RowScanTest, contract_SC_1_without_rows_the_carry_passes_through) {
  EXPECT_EQ(carry_out({}, {}), 0u);
  EXPECT_EQ(carry_out({}, {.init = Row{5}}), 5u);
  EXPECT_EQ(carry_out({}, {.carry_in = Row{10}}), 10u);
  EXPECT_TRUE(sums({}, {.carry_in = Row{10}}).empty());
  EXPECT_EQ(scanned({}, matrix_product(), {}).carry_out, matrix_product().identity);
}

TEST(RowScanTest, f32_keeps_minus_zero_and_adds_one_after_the_other) {
  const RowOperator sum = sum_of(ElementType::f32);
  const Words minus_zeros = to_words(std::vector{-0.0f, -0.0f});
  EXPECT_EQ(scanned(minus_zeros, sum, {.mode = inclusive}).output, minus_zeros);
  EXPECT_EQ(scanned(minus_zeros, sum, {.mode = exclusive}).output, (Words{0, 0}));
  EXPECT_EQ(scanned(minus_zeros, sum, {.mode = exclusive, .carry_in = to_row(-0.0f)}).output,
            minus_zeros);
  EXPECT_EQ(scanned(minus_zeros, min_of(ElementType::f32), {.mode = inclusive}).output,
            minus_zeros);
  EXPECT_EQ(scanned(to_words(std::vector{0x1p24f, 1.0f, 1.0f}), sum, {.mode = inclusive}).output,
            to_words(std::vector{0x1p24f, 0x1p24f, 0x1p24f}));
}

TEST(RowScanTest, operands_come_in_scan_direction) {
  const Words maps{2, 3, 5, 7};  // x -> 2x + 3, x -> 5x + 7
  EXPECT_EQ(scanned(maps, affine_composition(), {.mode = inclusive}).output, (Words{2, 3, 10, 22}));
  EXPECT_EQ(scanned(maps, affine_composition(), {.mode = inclusive, .is_reverse = true}).output,
            (Words{10, 17, 5, 7}));
}

TEST(RowScanTest, equals_the_standard_library_on_values) {
  std::mt19937_64 random(42);
  for_each_type([&]<typename T>(ElementType type) {
    std::vector<T> values(1000);
    std::ranges::generate(values, [&] { return static_cast<T>(random() % 1000); });
    std::vector<T> expected(values.size());
    const auto expect = [&](const RowOperator& op, RowScanDescription how) {
      EXPECT_EQ(scanned(to_words(values), op, how).output, to_words(expected)) << to_string(type);
    };
    std::partial_sum(values.begin(), values.end(), expected.begin());
    expect(sum_of(type), {.mode = inclusive});
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), T{0});
    expect(sum_of(type), {.mode = exclusive});
    std::inclusive_scan(values.rbegin(), values.rend(), expected.rbegin(), std::plus<>(), T{9});
    expect(sum_of(type), {.mode = inclusive, .is_reverse = true, .init = to_row<T>(9)});
    const auto least = [](T a, T b) { return std::min(a, b); };
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), T{500}, least);
    expect(min_of(type), {.mode = exclusive, .init = to_row<T>(500)});
    const auto greatest = [](T a, T b) { return std::max(a, b); };
    std::inclusive_scan(values.begin(), values.end(), expected.begin(), greatest);
    expect(max_of(type), {.mode = inclusive});
  });
}

TEST(RowScanTest, equals_the_standard_library_segment_by_segment_with_every_operator) {
  std::mt19937 random(43);
  for (const auto& [name, op] : exact_operators()) {
    const Words words = random_row_words(300, op, random);
    const Words flags = random_flags(300, random);
    std::vector<Row> rows;
    for (std::size_t row = 0; row < 300; ++row)
      rows.push_back(PackedRows(words, op.words)[row]);
    Words expected[2] = {Words(words.size()), Words(words.size())};
    for (std::size_t begin = 0, end = 1; begin < 300; begin = end++) {
      while (end < 300 && flags[end] == 0)
        ++end;
      const std::span segment = std::span(rows).subspan(begin, end - begin);
      std::vector<Row> prefixes[2] = {std::vector<Row>(segment.size()),
                                      std::vector<Row>(segment.size())};
      std::exclusive_scan(segment.begin(), segment.end(), prefixes[0].begin(), op.identity,
                          op.combine);
      std::inclusive_scan(segment.begin(), segment.end(), prefixes[1].begin(), op.combine);
      for (std::size_t row = begin; row < end; ++row) {
        store_row(expected[0], op.words, row, prefixes[0][row - begin]);
        store_row(expected[1], op.words, row, prefixes[1][row - begin]);
      }
    }
    EXPECT_EQ(scanned(words, op, {.mode = exclusive, .segment_flags = flags}).output, expected[0])
        << name;
    EXPECT_EQ(scanned(words, op, {.mode = inclusive, .segment_flags = flags}).output, expected[1])
        << name;
  }
}

TEST(RowScanTest, reverse_is_a_scan_of_the_flipped_rows_whose_flags_are_one_row_later) {
  std::mt19937 random(44);
  for (const auto& [name, op] : exact_operators()) {
    const Words words = random_row_words(200, op, random);
    const Words ends = random_flags(200, random);
    Words starts = flipped(ends, 1);
    std::ranges::rotate(starts, starts.end() - 1);
    starts[0] = 0;
    for (const ScanMode mode : {exclusive, inclusive}) {
      const RowScanResult reverse =
          scanned(words, op, {.mode = mode, .segment_flags = ends, .is_reverse = true});
      const RowScanResult forward =
          scanned(flipped(words, op.words), op, {.mode = mode, .segment_flags = starts});
      EXPECT_EQ(reverse.output, flipped(forward.output, op.words)) << name;
      EXPECT_EQ(reverse.carry_out, ends[0] != 0 ? op.identity : forward.carry_out) << name;
    }
  }
}

TEST(RowScanTest, pieces_joined_by_their_carries_equal_the_whole) {
  std::mt19937 random(45);
  for (const auto& [name, op] : exact_operators()) {
    const Words words = random_row_words(200, op, random);
    const Words flags = random_flags(200, random);
    for (const ScanMode mode : {exclusive, inclusive}) {
      Words joined;
      Row carry = op.identity;
      for (std::size_t begin = 0, end = 0; begin < 200; begin = end) {
        end = std::min<std::size_t>(200, begin + random() % 50);
        const RowScanResult piece =
            scanned(Words(words.begin() + static_cast<std::ptrdiff_t>(begin * op.words),
                          words.begin() + static_cast<std::ptrdiff_t>(end * op.words)),
                    op,
                    {.mode = mode,
                     .segment_flags = std::span(flags).subspan(begin, end - begin),
                     .carry_in = carry});
        joined.insert(joined.end(), piece.output.begin(), piece.output.end());
        carry = piece.carry_out;
      }
      const RowScanResult whole = scanned(words, op, {.mode = mode, .segment_flags = flags});
      EXPECT_EQ(joined, whole.output) << name;
      EXPECT_EQ(carry, whole.carry_out) << name;
    }
  }
}

TEST(RowScanTest, refuses_what_makes_no_sense) {
  const RowOperator sum = sum_of(ElementType::u64);
  const Words rows{1, 2, 3, 4};
  const auto message = [](const auto& result) {
    return result ? std::string("no error") : result.error().message;
  };
  EXPECT_EQ(message(scan_rows(Words{1, 2, 3}, sum)), "3 words are no whole rows of 2 words.");
  EXPECT_EQ(message(scan_rows(rows, sum, {.segment_flags = rows})),
            "2 rows come with 4 segment flags.");
  EXPECT_EQ(message(scan_rows(rows, sum, {.init = Row{}, .carry_in = Row{}})),
            "A scan takes a start value or a carry from rows before it, not both.");
  EXPECT_EQ(message(scan_rows(rows, RowOperator{{.identity = {}, .combine = sum.combine}, 5})),
            "The operator takes rows of 5 words (1 to 4 are possible).");
}

}  // namespace
}  // namespace wgprim::reference
