// Reductions by segments (contract RD-1; F6 to F9): plans dispatch by dispatch, results on the host
// against the oracle, and what Graph::add refuses.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/kernel_operator.hpp"
#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/plan_lines.hpp"
#include "support/reduce_case.hpp"

namespace wgprim::testing {
namespace {

Plan plan_of(const ReduceCase& reduce, const DeviceProfile& profile = {}) {
  auto plan = plan_reduction(reduce, profile);
  if (!plan) throw std::runtime_error(plan.error().message);
  return *std::move(plan);
}

void expect_right(const ReduceCase& reduce, DeviceProfile profile = {}) {
  for (const bool has_subgroups : {false, true}) {
    profile.capabilities.subgroups = has_subgroups;
    const Plan plan = plan_of(reduce, profile);
    DeviceProfile lowered = profile;
    for (const std::string& limit : reduce.limits)
      ASSERT_TRUE(lower_limit(lowered.limits, limit));
    EXPECT_EQ(find_faults(plan, lowered), std::vector<std::string>()) << reduce;
    EncodedRows rows;
    if (reduce.encoded_rows) rows["scan"] = *reduce.encoded_rows;
    const Image before = image_before(reduce);
    const auto found = interpret(plan, before, rows);
    ASSERT_TRUE(found) << found.error().message << "\n" << reduce;
    EXPECT_EQ(*found, image_after(reduce, before)) << reduce;
  }
}

TEST(SegmentReductionTest, one_tile_stores_its_segments_and_their_number) {
  EXPECT_EQ(lines_of(plan_of({.rows = {100}, .lead = 0, .flags = Words(100)})), R"(
scan_tiles 1x1x1 (100 1 segment_count=100) output0[400] input0[400] flags0[400] number[4]
)");
}

TEST(SegmentReductionTest, tiles_are_scanned_for_their_segments) {
  EXPECT_EQ(lines_of(plan_of({.rows = {4096}, .lead = 0, .flags = Words(4096)})), R"(
reduce_tiles 4x1x1 (4096 4) spine[32] input0[16384] flags0[16384]
scan_blocks 1x1x1 (4 1) spine[32] last[8]
scan_tiles 4x1x1 (4096 4 segment_count=4096) output0[16384] spine[32] input0[16384] flags0[16384] number[4] last[8]
)");
}

TEST(SegmentReductionTest, ranges_look_totals_of_tiles_up) {
  EXPECT_EQ(lines_of(plan_of({.rows = {70000}, .lead = 0, .offsets = Words(601)})), R"(
reduce_tiles 274x1x1 (70000 274) totals1[1096] input0[280000]
reduce_tiles 2x1x1 (274 2) totals2[8] totals1[1096]
reduce_ranges 3x1x1 (70000 1 segment_count=600 levels=2) output0[2400] totals1[1096] input0[280000] offsets[2404] totals2[8] totals2[8]
)");
}

TEST(SegmentReductionTest, contract_RD_1_flags_of_any_density) {
  for (const std::uint64_t rows : {1u, 2u, 5u, 1023u, 1024u, 1025u, 2049u, 9000u}) {
    for (const std::uint32_t every : {1u, 2u, 7u, 300u, 1'000'000'000u})
      expect_right({.rows = {rows}, .flags = random_flags(rows, every)});
  }
}

TEST(SegmentReductionTest, F6_F8_row_0_starts_a_segment_and_any_flag_does) {
  expect_right({.rows = {4}, .flags = Words{0, 0, 1, 0}});
  expect_right({.rows = {4}, .flags = Words{2, 0, 7, 0}});
  expect_right({.rows = {4}, .flags = Words{7, 0xffffffff, 7, 1}});
  expect_right({.rows = {2000, 1000}, .lead = 0, .flags = Words(3000)});
}

TEST(SegmentReductionTest, F7_flags_at_the_edges_of_tiles) {
  for (const std::uint64_t edge : {1023u, 1024u, 1025u, 4095u, 4096u}) {
    Words edges(10'000);
    edges[edge] = 1;
    expect_right({.rows = {10'000}, .flags = edges});
    expect_right({.rows = {10'000}, .lead = 0, .flags = edges});
  }
}

TEST(SegmentReductionTest, contract_RD_1_no_rows_have_no_segments) {
  expect_right({.rows = {0}, .flags = Words()});
  expect_right({.rows = {0, 0}, .path = Path::chained, .flags = Words(), .output_rows = {3, 2}});
  ReduceCase nobodys{.rows = {0}, .flags = Words()};
  nobodys.has_number = false;
  EXPECT_TRUE(plan_of(nobodys).dispatches.empty());
}

TEST(SegmentReductionTest, F9_offsets_with_empty_ranges) {
  expect_right({.rows = {5}, .offsets = Words{0, 0, 3, 3, 5}});
  expect_right({.rows = {5}, .offsets = Words{0, 0, 3, 3, 3, 5}});
  expect_right({.rows = {5}, .op = OperatorKind::min, .offsets = Words{3, 1, 7, 0xffffffff, 0}});
  expect_right({.rows = {5}, .offsets = Words{2}});
  expect_right(
      {.rows = {0}, .format = Format::float32, .op = OperatorKind::max, .offsets = Words{0, 0, 3}});
  expect_right({.rows = {0, 0}, .offsets = Words(700), .output_rows = {0, 300, 400}});
}

TEST(SegmentReductionTest, contract_RD_1_ranges_of_any_length) {
  for (const std::uint64_t rows : {1u, 255u, 256u, 257u, 70'000u, 140'000u}) {
    for (const std::uint64_t ranges : {1u, 3u, 255u, 256u, 300u})
      expect_right({.rows = {rows}, .offsets = random_offsets(ranges, rows, 3)});
  }
}

TEST(SegmentReductionTest, contract_T_1_every_type_and_operator) {
  for (const OperatorKind kind : {OperatorKind::sum, OperatorKind::min, OperatorKind::max}) {
    for (const Format format :
         {Format::uint32, Format::int32, Format::float32, Format::uint64, Format::int64}) {
      expect_right({.rows = {3000}, .format = format, .op = kind, .flags = random_flags(3000, 40)});
      expect_right(
          {.rows = {3000}, .format = format, .op = kind, .offsets = random_offsets(100, 3000, 5)});
    }
  }
  const Format records[] = {Format::uint32, Format::uint32x2, Format::uint32x3, Format::uint32x4};
  for (const CustomOperator& custom : custom_operators()) {
    const Format format = records[custom.oracle.words - 1];
    expect_right({.rows = {2500},
                  .format = format,
                  .op = custom.description(),
                  .flags = random_flags(2500, 90)});
    expect_right({.rows = {2500},
                  .format = format,
                  .op = custom.description(),
                  .offsets = random_offsets(70, 2500, 5)});
  }
}

TEST(SegmentReductionTest, chunks_of_every_operand_are_their_own) {
  const Operator affine = custom_operators()[1].description();
  ReduceCase reduce{.rows = {1, 0, 700, 33, 2000}, .format = Format::uint32x2, .op = affine};
  reduce.flags = random_flags(2734, 9);
  reduce.flag_rows = {0, 1000, 1734};
  reduce.output_rows = {1, 0, 2, 30, 4000};
  expect_right(reduce);
  reduce.path = Path::chained;
  expect_right(reduce);
  reduce.flags.reset();
  reduce.offsets = random_offsets(50, 2734, 8);
  reduce.output_rows = {1, 0, 2, 30, 40};
  expect_right(reduce);
}

TEST(SegmentReductionTest, bindings_and_buffers_split_every_operand) {
  const Operator affine = custom_operators()[1].description();
  ReduceCase reduce{.rows = {3000}, .format = Format::uint32x2, .op = affine, .lead = 0};
  reduce.limits = {"maxComputeInvocationsPerWorkgroup=32", "maxStorageBufferBindingSize=5000"};
  reduce.flags = random_flags(3000, 3);
  expect_right(reduce);
  reduce.flags.reset();
  reduce.offsets = random_offsets(2000, 3000, 8);
  expect_right(reduce);
}

TEST(SegmentReductionTest, contract_SC_16_fewer_rows_than_planned_for) {
  for (const std::uint32_t rows : {0u, 1u, 699u, 700u, 701u, 1024u, 3000u, 3001u}) {
    ReduceCase reduce{.rows = {700, 2301}, .flags = random_flags(3001, 10)};
    for (const bool is_by_offsets : {false, true}) {
      if (is_by_offsets) reduce.flags.reset();
      if (is_by_offsets) reduce.offsets = random_offsets(300, 3001, 4);
      ReduceCase counted = reduce;
      counted.row_count = rows;
      expect_right(counted);
      counted.encoded_rows = 2000;
      expect_right(counted);
      reduce.encoded_rows = rows;
      expect_right(reduce);
    }
  }
}

TEST(SegmentReductionTest, the_number_of_segments_may_be_nobodys) {
  ReduceCase reduce{.rows = {5000}, .flags = random_flags(5000, 10)};
  reduce.has_number = false;
  expect_right(reduce);
}

TEST(SegmentReductionTest, limits_of_one_total_are_refused) {
  for (const char* limit : {"maxBufferSize=4", "maxStorageBufferBindingSize=4"}) {
    DeviceProfile profile;
    ASSERT_TRUE(lower_limit(profile.limits, limit));
    for (const Format format : {Format::uint32, Format::uint64}) {
      EXPECT_FALSE(plan_reduce(10, {.format = format}, profile));
      EXPECT_FALSE(plan_reduce(10, {.format = format, .is_segmented = true}, profile));
      EXPECT_FALSE(plan_reduce(10, {.format = format, .ranges = 3}, profile));
      EXPECT_FALSE(plan_scan(10, {.format = format}, profile));
      EXPECT_FALSE(plan_scan(10, {.format = format, .is_segmented = true}, profile));
    }
    EXPECT_FALSE(plan_scan_u64(10, {}, profile));
  }
}

TEST(SegmentReductionTest, windows_that_take_all_rows_again_are_bounded) {
  DeviceProfile profile;
  ASSERT_TRUE(lower_limit(profile.limits, "maxStorageBufferBindingSize=512"));
  for (const ReduceOptions& options :
       {ReduceOptions{.is_segmented = true}, ReduceOptions{.ranges = 1'000'000}}) {
    const auto plan = plan_reduce(1'000'000, options, profile);
    ASSERT_FALSE(plan);
    EXPECT_STREQ(to_string(plan.error().code), "limit_exceeded");
    EXPECT_NE(plan.error().message.find("maxStorageBufferBindingSize"), std::string::npos);
  }
}

struct SegmentReductionRulesTest : ::testing::Test {
  DataView words(const char* name, std::uint64_t rows) {
    return {.buffer = graph.import_buffer({name, 64}).value(), .rows = rows};
  }

  void expect_refused(ErrorCode code, const std::string& message) {
    const auto added = graph.add(reduce);
    ASSERT_FALSE(added) << "expected: " << message;
    EXPECT_EQ(added.error().message, message);
    EXPECT_STREQ(to_string(added.error().code), to_string(code));
  }

  Graph graph;
  Reduce reduce{.id = "r", .input = words("input", 4), .output = words("output", 4)};
};

TEST_F(SegmentReductionRulesTest, shapes) {
  reduce.count = words("count", 1);
  expect_refused(ErrorCode::invalid_argument,
                 "Reduce 'r' has a count of segments, but no segment flags.");
  reduce.segment_flags = words("flags", 3);
  expect_refused(ErrorCode::invalid_argument,
                 "Segment flags of reduce 'r' hold 3 rows, fewer than the input's 4.");
  reduce.segment_flags = words("more flags", 4);
  reduce.output.chunks[0].rows = 3;
  expect_refused(ErrorCode::invalid_argument,
                 "Output of reduce 'r' holds 3 rows, fewer than the input's 4.");
  reduce.output.chunks[0].rows = 4;
  reduce.count->rows = 2;
  expect_refused(ErrorCode::invalid_argument, "Count of reduce 'r' is one row, not 2.");
  reduce.count.reset();
  reduce.offsets = words("offsets", 3);
  expect_refused(ErrorCode::invalid_argument, "Reduce 'r' has both segment flags and offsets.");
  reduce.segment_flags.reset();
  reduce.offsets->rows = 0;
  expect_refused(ErrorCode::invalid_argument,
                 "There are no offsets for reduce 'r'; k ranges take k + 1 of them.");
  reduce.offsets->rows = 6;
  expect_refused(ErrorCode::invalid_argument,
                 "Output of reduce 'r' holds 4 rows, fewer than the 5 ranges of its offsets.");
}

TEST_F(SegmentReductionRulesTest, A7_what_is_written_shares_no_buffer) {
  reduce.segment_flags = words("flags", 4);
  reduce.count = DataView{.buffer = reduce.output.chunks[0].buffer, .rows = 1, .byte_offset = 32};
  expect_refused(ErrorCode::aliasing,
                 "Count of reduce 'r' lies in buffer 'output', where its output is written.");
  reduce.count->buffer = reduce.segment_flags->chunks[0].buffer;
  expect_refused(ErrorCode::aliasing,
                 "Segment flags of reduce 'r' lie in buffer 'flags', where its count is written.");
  reduce.count->buffer = reduce.input.chunks[0].buffer;
  expect_refused(ErrorCode::aliasing,
                 "Input of reduce 'r' lies in buffer 'input', where its count is written.");
  reduce.count.reset();
  reduce.segment_flags.reset();
  reduce.offsets = DataView{.buffer = reduce.output.chunks[0].buffer, .rows = 2, .byte_offset = 32};
  expect_refused(ErrorCode::aliasing,
                 "Offsets of reduce 'r' lie in buffer 'output', where its output is written.");
}

}  // namespace
}  // namespace wgprim::testing
