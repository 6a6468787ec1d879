// Values, operators and segments that scans and reductions have got wrong elsewhere (scenarios M
// and F), on every path, with and without subgroups. Of float32: float_rules_test.cpp.
#include <gtest/gtest.h>

#include <limits>

#include "support/family_on_device.hpp"
#include "support/kernel_operator.hpp"

namespace wgprim::testing {
namespace {

class ScenarioValuesTest : public FamilyOnDevice {};

constexpr ScanMode kInclusive = ScanMode::inclusive;

TEST_F(ScenarioValuesTest, M1_sums_beyond_every_bit) {
  for (const std::uint32_t value : {0x00100000u, 0x40000000u, 0x80000000u, 0xffffffffu})
    expect_right(scan_of(Words(16384, value), kInclusive));
  expect_output(ReduceCase{.rows = {16384}, .values = Words(16384, 0x00100001)}, {16384});
}

TEST_F(ScenarioValuesTest, M2_sums_wrap) {
  ScanCase signed_scan = scan_of({0x7fffffff, 1, 1}, kInclusive);
  signed_scan.format = Format::int32;
  expect_output(signed_scan, {0x7fffffff, 0x80000000, 0x80000001});
  expect_output(scan_of({0xffffffff, 1}, kInclusive), {0xffffffff, 0});
}

TEST_F(ScenarioValuesTest, M3_three_hundred_flags_are_three_hundred) {
  const Words flags(300, 1);
  expect_output(ReduceCase{.rows = {300}, .values = flags}, {300});
  expect_output(scan_of(flags, kInclusive), generated(300, [](auto i) { return i + 1; }));
}

TEST_F(ScenarioValuesTest, M4_sums_of_64_bits_are_of_64_bits) {
  ScanCase scan = scan_of({0xfffffffe, 0x7fffffff, 1, 0, 1, 0}, kInclusive);
  scan.input[0].rows = scan.output[0].rows = 3;
  scan.format = Format::int64;
  expect_output(scan, {0xfffffffe, 0x7fffffff, 0xffffffff, 0x7fffffff, 0, 0x80000000});
}

/// Rows of ones in the low words, whose sum carries at every row that follows.
Words carrying_rows(std::uint32_t rows) {
  return generated(2 * rows, [](std::uint32_t word) {
    const bool is_last_of_block = word / 2 % 256 == 255;
    return word % 2 == 0 ? (is_last_of_block ? 0xffffffff : 1) : 0;
  });
}

TEST_F(ScenarioValuesTest, M6_carries_of_64_bits_cross_tiles_and_chunks) {
  ScanCase scan = with_rows_of(chunked_scan({256, 1792, 3000}, {5048}, kInclusive), Format::uint64);
  scan.values = carrying_rows(5048);
  expect_right(scan);
  expect_right(ReduceCase{
      .rows = {256, 1792, 3000}, .format = Format::uint64, .values = carrying_rows(5048)});
}

// 65,537 rows have three levels: of path chained, and of tiles of 64 lanes of four rows.
TEST_F(ScenarioValuesTest, M7_operators_that_do_not_commute_at_three_levels) {
  constexpr Format kRecords[] = {Format::uint32, Format::uint32x2, Format::uint32x3,
                                 Format::uint32x4};
  for (const CustomOperator& custom : custom_operators()) {
    if (custom.name == "unitriangular") continue;  // Compiling takes longest here.
    const Format format = kRecords[custom.oracle.words - 1];
    const Operator op = custom.description();
    const std::vector<std::string> narrow = {"maxComputeInvocationsPerWorkgroup=64"};
    ScanCase scan = with_rows_of(separate_scan(65537, kInclusive), format, op);
    scan.limits = narrow;
    expect_right(scan, 1);
    expect_right(ReduceCase{.rows = {65537}, .format = format, .op = op, .limits = narrow});
  }
}

TEST_F(ScenarioValuesTest, M14_adding_a_zero_keeps_the_prefix) {
  Words values = generated(5000, [](auto i) { return i * 2654435761u; });
  for (std::size_t edge = 255; edge < values.size(); edge += 256)
    values[edge] = 0;
  ScanCase scan = scan_of(values, kInclusive);
  for (const Way& way : ways()) {
    scan.path = way.path;
    scan.subgroups = way.subgroups;
    const Image image = must(run_on_device(device(), scan, must(plan_for(device(), scan))));
    const Words sums = rows_in(image, scan.output);
    for (std::size_t edge = 255; edge < values.size(); edge += 256)
      EXPECT_EQ(sums[edge], sums[edge - 1]) << "row " << edge << ", " << way;
  }
}

TEST_F(ScenarioValuesTest, M16_zeros_add_up_to_zero) {
  expect_output(ReduceCase{.rows = {1'000'000}, .values = Words(1'000'000)}, {0});
  expect_output(scan_of(Words(100'000)), Words(100'000));
}

TEST_F(ScenarioValuesTest, M17_M18_reverse_of_few_rows) {
  expect_output(reversed(scan_of({9})), {0});
  expect_output(reversed(scan_of({9, 4})), {4, 0});
  expect_output(reversed(scan_of({1, 2, 3})), {5, 3, 0});
  expect_output(reversed(scan_of({1, 2, 3}, kInclusive)), {6, 5, 3});
}

TEST_F(ScenarioValuesTest, contract_I_1_exclusive_is_inclusive_without_the_row) {
  ScanCase scan = separate_scan(5000);
  const Words values = rows_in(image_before(scan), scan.input);
  Words inclusive(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    inclusive[i] = (i == 0 ? 0 : inclusive[i - 1]) + values[i];
  Words exclusive = inclusive;
  for (std::size_t i = 0; i < values.size(); ++i)
    exclusive[i] -= values[i];
  expect_output(scan, exclusive);
  scan.mode = kInclusive;
  expect_output(scan, inclusive);
  expect_output(ReduceCase{.rows = {5000}, .values = values}, {inclusive.back()});
}

TEST_F(ScenarioValuesTest, contract_I_3_no_path_and_no_chunking_changes_a_bit) {
  ScanCase whole = separate_scan(3000, kInclusive);
  whole.op = OperatorKind::max;
  const Words values = rows_in(image_before(whole), whole.input);
  const Words expected = rows_in(image_after(whole, image_before(whole)), whole.output);
  for (ScanCase scan : {chunked_scan({3000}, {3000}, kInclusive),
                        chunked_scan({1, 0, 2999}, {700, 2300}, kInclusive),
                        chunked_scan({1024, 1024, 952}, {256, 2744}, kInclusive)}) {
    scan.op = OperatorKind::max;
    scan.values = values;
    expect_output(scan, expected);
  }
}

}  // namespace
}  // namespace wgprim::testing
