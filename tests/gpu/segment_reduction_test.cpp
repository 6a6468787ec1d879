// Reductions by segments on a device (contract RD-1; F6 to F9), every word of every buffer against
// the oracle; and the one-call forms.
#include <gtest/gtest.h>

#include "support/gpu_fixture.hpp"
#include "support/kernel_operator.hpp"
#include "support/reduce_case.hpp"
#include "support/scan_on_device.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::testing {
namespace {

class SegmentReductionOnDeviceTest : public GpuTest {
 protected:
  /// With and without subgroups, encoded twice.
  void expect_right(ReduceCase reduce) {
    for (const Subgroups subgroups : {Subgroups::off, Subgroups::automatic}) {
      reduce.subgroups = subgroups;
      const auto plan = plan_reduction(reduce, must(device().profile()));
      ASSERT_TRUE(plan) << plan.error().message << "\n" << reduce;
      const Image before = image_before(reduce);
      const auto found = run_on_device(device(), *plan, before, reduce.encoded_rows);
      ASSERT_TRUE(found) << found.error().message << "\n" << reduce;
      EXPECT_EQ(*found, image_after(reduce, before)) << reduce;
    }
  }
};

TEST_F(SegmentReductionOnDeviceTest, contract_RD_1_flags_of_any_density) {
  for (const std::uint64_t rows : {1u, 5u, 1023u, 1025u, 4097u, 70'000u}) {
    for (const std::uint32_t every : {1u, 2u, 33u, 1000u, 1'000'000'000u}) {
      expect_right({.rows = {rows}, .lead = every % 2, .flags = random_flags(rows, every)});
    }
  }
}

TEST_F(SegmentReductionOnDeviceTest, contract_RD_1_ranges_of_any_length) {
  for (const std::uint64_t rows : {0u, 1u, 257u, 70'000u, 140'000u}) {
    for (const std::uint64_t ranges : {1u, 256u, 1000u})
      expect_right({.rows = {rows}, .offsets = random_offsets(ranges, rows)});
  }
}

TEST_F(SegmentReductionOnDeviceTest, F9_empty_ranges_are_the_identity) {
  expect_right({.rows = {5}, .offsets = Words{0, 0, 3, 3, 5}});
  expect_right({.rows = {5},
                .format = Format::float32,
                .op = OperatorKind::min,
                .offsets = Words{3, 1, 7, 0xffffffff, 0}});
}

TEST_F(SegmentReductionOnDeviceTest, contract_T_1_every_type_and_operator) {
  constexpr std::pair<Format, OperatorKind> kNumbers[] = {
      {Format::int32, OperatorKind::sum},   {Format::int32, OperatorKind::min},
      {Format::uint32, OperatorKind::max},  {Format::float32, OperatorKind::sum},
      {Format::float32, OperatorKind::min}, {Format::float32, OperatorKind::max},
      {Format::uint64, OperatorKind::sum},  {Format::uint64, OperatorKind::min},
      {Format::int64, OperatorKind::max}};
  for (const auto& [format, kind] : kNumbers) {
    expect_right({.rows = {3000}, .format = format, .op = kind, .flags = random_flags(3000, 40)});
    expect_right(
        {.rows = {3000}, .format = format, .op = kind, .offsets = random_offsets(100, 3000)});
  }
  const Format records[] = {Format::uint32, Format::uint32x2, Format::uint32x3, Format::uint32x4};
  for (const CustomOperator& custom : custom_operators()) {
    const Format format = records[custom.oracle.words - 1];
    const Operator op = custom.description();
    expect_right({.rows = {6000}, .format = format, .op = op, .flags = random_flags(6000, 90)});
    expect_right({.rows = {6000}, .format = format, .op = op, .offsets = random_offsets(70, 6000)});
  }
}

TEST_F(SegmentReductionOnDeviceTest, chunks_bindings_and_row_counts) {
  const Operator affine = custom_operators()[1].description();
  ReduceCase chunks{.rows = {1, 0, 700, 33, 2000}, .format = Format::uint32x2, .op = affine};
  chunks.flags = random_flags(2734, 9);
  chunks.flag_rows = {0, 1000, 1734};
  chunks.output_rows = {1, 0, 2, 30, 4000};
  ReduceCase split{.rows = {3000}, .format = Format::uint32x2, .op = affine, .lead = 0};
  split.limits = {"maxComputeInvocationsPerWorkgroup=32", "maxStorageBufferBindingSize=5000"};
  split.flags = random_flags(3000, 3);
  for (ReduceCase reduce : {chunks, split}) {
    for (const bool is_by_offsets : {false, true}) {
      if (is_by_offsets) {
        reduce.offsets = random_offsets(1000, 3000);
        reduce.flags.reset();
        reduce.flag_rows.clear();
        reduce.output_rows = {300, 700};
      }
      reduce.row_count.reset();
      expect_right(reduce);
      for (const std::uint32_t count : {0u, 1u, 701u, 2500u, 0xffffffffu}) {
        reduce.row_count = count;
        expect_right(reduce);
      }
    }
  }
}

TEST_F(SegmentReductionOnDeviceTest, fewer_rows_per_encode) {
  for (const std::uint64_t rows : {0u, 1u, 700u, 2999u}) {
    ReduceCase reduce{.rows = {3000}, .flags = random_flags(3000, 9), .encoded_rows = rows};
    expect_right(reduce);
    reduce.flags.reset();
    reduce.offsets = random_offsets(100, 3000);
    expect_right(reduce);
  }
}

TEST_F(SegmentReductionOnDeviceTest, one_call) {
  const std::vector<float> rows = {3, 1, 4, 1, 5};
  const Words starts = {0, 0, 1, 0, 9};
  EXPECT_EQ(must(reduce_by_flags(device(), rows, starts)), (std::vector<float>{4, 5, 5}));
  EXPECT_EQ(must(reduce_by_flags(device(), std::vector<std::int64_t>{}, {})),
            std::vector<std::int64_t>());
  const Words bounds = {0, 3, 3, 9};
  const std::vector<std::int64_t> longs = {-1, -(1ll << 40), 7, 8};
  EXPECT_EQ(must(reduce_by_offsets(device(), longs, bounds, {.op = {OperatorKind::min}})),
            (std::vector<std::int64_t>{-(1ll << 40), INT64_MAX, 8}));
  EXPECT_EQ(reduce_by_offsets(device(), rows, {}).error().message,
            "There are no offsets; k ranges take k + 1 of them.");
  EXPECT_EQ(reduce_by_flags(device(), rows, Words{1, 2}).error().message,
            "There are 2 segment flags for 5 rows.");
}

}  // namespace
}  // namespace wgprim::testing
