// The checker of streamed results: right ones pass however they are cut, a wrong word is found.
#include "reference/row_checker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/row_reduce.hpp"
#include "reference/row_scan.hpp"
#include "reference/row_test_support.hpp"

namespace wgprim::reference {
namespace {

/// More than one of the blocks that the checker expects at a time.
constexpr std::size_t kRows = 65536 + 4465;

constexpr Format kNumbers[] = {Format::uint32, Format::int32, Format::uint64, Format::int64,
                               Format::float32};
constexpr OperatorKind kKinds[] = {OperatorKind::sum, OperatorKind::min, OperatorKind::max};

RowOperator oracle_of(OperatorKind kind, Format format) {
  const ElementType types[] = {ElementType::u32, ElementType::i32, ElementType::u64,
                               ElementType::i64, ElementType::f32};
  const ElementType type = types[std::ranges::find(kNumbers, format) - kNumbers];
  if (kind == OperatorKind::min) return min_of(type);
  return kind == OperatorKind::max ? max_of(type) : sum_of(type);
}

Words right_result(const Words& input, const ScanOptions& options, const Words& flags) {
  RowScanDescription how{
      .mode = options.mode, .segment_flags = flags, .is_reverse = options.is_reverse};
  if (options.init) how.init = options.init->words;
  return scan_rows(input, oracle_of(options.op.kind, options.format), how).value().output;
}

/// Feeds the words in pieces that end between the words of rows.
Result<void> check_in_pieces(RowChecker& checker, const Words& output) {
  for (std::size_t first = 0; first < output.size(); first += 777) {
    const auto size = std::min<std::size_t>(777, output.size() - first);
    auto ok = checker.check(std::span(output).subspan(first, size));
    if (!ok) return ok;
  }
  return {};
}

/// Every number, operator, mode and direction, with segments and a start value and without.
void for_each_scan(auto use) {
  std::mt19937 random(7);
  const Words flags = random_flags(kRows, random);
  for (const Format format : kNumbers) {
    for (const OperatorKind kind : kKinds) {
      for (const unsigned choice : {0u, 4u, 5u, 10u, 15u}) {
        ScanOptions options{.mode = choice % 2 == 0 ? ScanMode::exclusive : ScanMode::inclusive,
                            .format = format,
                            .op = {kind},
                            .is_reverse = (choice & 2) != 0,
                            .is_segmented = (choice & 4) != 0};
        if ((choice & 8) != 0) options.init = wgprim::RowValue(format, {0x41000000, 3});
        Words input(kRows * row_bytes(format) / 4);
        std::ranges::generate(input, [&] { return random() % 16 == 0 ? 0x3fffffffu : random(); });
        if (format == Format::float32 && kind == OperatorKind::sum) {
          for (std::uint32_t& word : input)
            word = to_row(static_cast<float>(word % 1000) - 500)[0];
        }
        use(options, input, options.is_segmented ? flags : Words{});
      }
    }
  }
}

TEST(RowCheckerTest, right_results_pass) {
  for_each_scan([](const ScanOptions& options, const Words& input, const Words& flags) {
    const Words output = right_result(input, options, flags);
    RowChecker checker(input, options, flags);
    const auto ok = check_in_pieces(checker, output);
    EXPECT_TRUE(ok) << ok.error().message;
    EXPECT_EQ(checker.rows_checked(), kRows);
    EXPECT_FALSE(checker.wrong_row());
  });
}

TEST(RowCheckerTest, one_wrong_row_is_found) {
  for_each_scan([](const ScanOptions& options, const Words& input, const Words& flags) {
    Words output = right_result(input, options, flags);
    const std::size_t words = row_bytes(options.format) / 4;
    const std::size_t row = options.is_reverse ? 65535 : kRows - 1;
    output[row * words + words - 1] ^= 0x40000000;
    RowChecker checker(input, options, flags);
    const auto ok = check_in_pieces(checker, output);
    ASSERT_FALSE(ok);
    EXPECT_EQ(ok.error().code, ErrorCode::verification_failed);
    ASSERT_TRUE(checker.wrong_row());
    EXPECT_EQ(checker.wrong_row()->row, row);
    EXPECT_EQ(checker.rows_checked(), row);
    EXPECT_FALSE(checker.check({}));
  });
}

TEST(RowCheckerTest, the_sentence_has_both_values) {
  const Words input = {1, 2, 3};
  RowChecker checker(input, {.mode = ScanMode::inclusive, .format = Format::int32});
  const auto ok = checker.check(Words{1, 0xffffffff, 6});
  ASSERT_FALSE(ok);
  EXPECT_EQ(ok.error().message, "Row 1 of the result is -1, the reference says 3.");
}

TEST(RowCheckerTest, rows_behind_the_last_are_wrong) {
  const Words input = {1, 2};
  RowChecker checker(input, {.mode = ScanMode::inclusive});
  EXPECT_TRUE(checker.check(Words{1, 3}));
  EXPECT_FALSE(checker.check(Words{3}));
  EXPECT_EQ(checker.wrong_row()->row, 2u);
}

TEST(RowCheckerTest, float_sums_may_be_off_by_the_bound) {
  const Words input = to_words(std::vector<float>(1000, 0.1f));
  const ScanOptions options{.mode = ScanMode::inclusive, .format = Format::float32};
  Words output = right_result(input, options, {});
  output[999] += 3;  // ulps
  EXPECT_TRUE(RowChecker(input, options).check(output));
  output[999] = to_row(100.1f)[0];
  const auto ok = RowChecker(input, options).check(output);
  ASSERT_FALSE(ok);
  EXPECT_NE(ok.error().message.find("is 100.099998, the reference says 100.000001 within 0.0"),
            std::string::npos)
      << ok.error().message;
  output[999] = to_row(std::numeric_limits<float>::quiet_NaN())[0];
  EXPECT_FALSE(RowChecker(input, options).check(output));
}

TEST(RowCheckerTest, reductions) {
  std::mt19937 random(3);
  for (const Format format : kNumbers) {
    for (const OperatorKind kind : kKinds) {
      if (format == Format::float32 && kind == OperatorKind::sum) continue;
      const RowOperator op = oracle_of(kind, format);
      for (const std::size_t rows : {0u, 1u, 1000u}) {
        const Words input = random_row_words(rows, op, random);
        wgprim::RowValue value(format, reduce_rows(input, op).value());
        EXPECT_TRUE(check_reduction(input, kind, value));
        value.words[op.words - 1] ^= 1;
        EXPECT_FALSE(check_reduction(input, kind, value));
      }
    }
  }
  const Words tenths = to_words(std::vector<float>(10, 0.1f));
  EXPECT_TRUE(check_reduction(tenths, OperatorKind::sum, 1.0000001f));
  const auto wrong = check_reduction(tenths, OperatorKind::sum, 1.1f);
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().message.starts_with("The result is 1.10000002, the reference says 1."));
}

TEST(RowCheckerTest, values_as_text) {
  EXPECT_EQ(to_text(7u), "7");
  EXPECT_EQ(to_text(-5), "-5");
  EXPECT_EQ(to_text(std::uint64_t{1} << 63), "9223372036854775808");
  EXPECT_EQ(to_text({Format::int64, {0, 0x80000000}}), "-9223372036854775808");
  EXPECT_EQ(to_text(0.1f), "0.100000001");
  EXPECT_EQ(to_text(-0.0f), "-0");
  EXPECT_EQ(to_text(std::numeric_limits<float>::infinity()), "inf");
}

}  // namespace
}  // namespace wgprim::reference
