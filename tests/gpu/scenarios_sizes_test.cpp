// Sizes and limits that scans and reductions have broken on elsewhere (scenarios S), on every path,
// with and without subgroups. Limits are lowered where the real ones would take a large array.
#include <gtest/gtest.h>

#include "support/family_on_device.hpp"
#include "support/kernel_operator.hpp"

namespace wgprim::testing {
namespace {

class ScenarioSizesTest : public FamilyOnDevice {};

const Operator& affine() {
  static const Operator kAffine = custom_operators()[1].description();
  return kAffine;
}

TEST_F(ScenarioSizesTest, S1_no_rows) {
  expect_right(with_flags(separate_scan(0)));
  expect_right(with_carry_out(starting_from(7u, separate_scan(0))));
  for (const OperatorKind op : {OperatorKind::sum, OperatorKind::min, OperatorKind::max}) {
    expect_right(ReduceCase{.rows = {0}, .op = op});
    expect_right(ReduceCase{.rows = {0, 0}, .format = Format::int64, .op = op});
  }
  expect_right(ReduceCase{.rows = {0}, .format = Format::uint32x2, .op = affine()});
  expect_right(ReduceCase{.rows = {0}, .flags = Words(), .output_rows = {3}});
  expect_right(ReduceCase{.rows = {0}, .offsets = Words{0, 0, 3}});
}

// Odd numbers multiply to odd numbers; anything else that a lane without row brought in would make
// the product 0.
TEST_F(ScenarioSizesTest, S2_lanes_without_rows_bring_in_the_identity_alone) {
  const Operator product{OperatorKind::custom,
                         "fn identity() -> Element { return 1u; }\n"
                         "fn combine(a: Element, b: Element) -> Element {\n"
                         "  return select(0u, a * b, (a & b & 1u) == 1u);\n}\n",
                         1};
  ScanCase one = scan_of({7});
  one.op = product;
  expect_output(one, {1});
  one.mode = ScanMode::inclusive;
  expect_output(one, {7});
  ReduceCase reduce{.rows = {1}, .op = product, .values = {7}};
  expect_output(reduce, {7});
  reduce.rows = {300};
  reduce.values = Words(300, 1);
  reduce.values[299] = 9;
  expect_output(reduce, {9});
}

TEST_F(ScenarioSizesTest, S7_lengths_that_are_no_multiple_of_four) {
  for (const std::uint64_t rows : {1u, 2u, 3u, 5u, 4097u}) {
    for (const std::uint64_t room : {0u, 3u})
      expect_right(aligned_scan(rows, room));
    expect_right(ReduceCase{.rows = {rows}, .lead = 0});
  }
}

TEST_F(ScenarioSizesTest, S9_as_many_workgroups_as_a_dimension_takes_and_one_more) {
  for (const std::uint64_t rows : {8 * 256u, 8 * 256u + 1, 8 * 4096u, 8 * 4096u + 1})
    expect_right(with_limit(separate_scan(rows), "maxComputeWorkgroupsPerDimension=8"));
  for (const std::uint64_t rows : {3 * 1024u, 3 * 1024u + 1, 3 * 4096u, 3 * 4096u + 1})
    expect_right(ReduceCase{.rows = {rows}, .limits = {"maxComputeWorkgroupsPerDimension=3"}});
}

TEST_F(ScenarioSizesTest, S11_rows_that_a_binding_just_holds_and_one_more) {
  for (const std::uint64_t rows : {1024u, 1025u, 2049u}) {
    expect_right(with_limit(aligned_scan(rows), "maxStorageBufferBindingSize=4096"));
    expect_right(
        ReduceCase{.rows = {rows}, .lead = 0, .limits = {"maxStorageBufferBindingSize=4096"}});
  }
}

TEST_F(ScenarioSizesTest, S14_every_row_is_a_segment) {
  constexpr std::uint32_t kRows = (1 << 17) + 1;
  const Words flags(kRows, 1);
  expect_right(with_flags(separate_scan(kRows, ScanMode::inclusive), flags));
  expect_right(ReduceCase{.rows = {kRows}, .flags = flags});
  expect_right(
      ReduceCase{.rows = {kRows}, .offsets = generated(kRows + 1, [](auto i) { return i; })});
}

TEST_F(ScenarioSizesTest, S15_odd_binding_limits_of_reductions) {
  for (const char* limit : {"maxStorageBufferBindingSize=1021", "maxStorageBufferBindingSize=4097"})
    expect_right(ReduceCase{.rows = {3000}, .limits = {limit}});
}

TEST_F(ScenarioSizesTest, S17_narrow_workgroups_of_reductions) {
  expect_right(ReduceCase{.rows = {5000}, .limits = {"maxComputeInvocationsPerWorkgroup=128"}});
}

TEST_F(ScenarioSizesTest, S18_eight_buffers_are_enough_for_all_that_a_scan_may_be_asked) {
  ScanCase scan = chunked_scan({700, 0, 1300}, {1000, 1000}, ScanMode::inclusive);
  scan = with_rows_of(std::move(scan), Format::uint64);
  scan = with_chunked_flags(std::move(scan), {1, 1999});
  scan = with_count(with_carry_out(with_carry_in(std::move(scan), {5, 6})), 1800);
  expect_right(with_limit(std::move(scan), "maxStorageBuffersPerShaderStage=8"));
}

}  // namespace
}  // namespace wgprim::testing
