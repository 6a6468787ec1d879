// Reductions (contract RD-1): plans dispatch by dispatch, results on the host against the oracle,
// and what Graph::add refuses.
#include <gtest/gtest.h>

#include <stdexcept>

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
  EXPECT_EQ(find_faults(*plan, profile), std::vector<std::string>());
  return *std::move(plan);
}

void expect_right(ReduceCase reduce, std::optional<std::uint64_t> encoded = {},
                  const DeviceProfile& profile = {}) {
  reduce.encoded_rows = encoded;
  EncodedRows rows;
  if (encoded) rows["scan"] = *encoded;
  const Image before = image_before(reduce);
  const auto found = interpret(plan_of(reduce, profile), before, rows);
  ASSERT_TRUE(found) << found.error().message << "\n" << reduce;
  EXPECT_EQ(*found, image_after(reduce, before)) << reduce;
}

TEST(ReduceTest, no_rows_write_the_identity) {
  EXPECT_EQ(lines_of(plan_of({{0}})), R"(
scan_blocks 1x1x1 (0 1 carry_out=1) nothing[4] output0[8]
)");
  expect_right({{0}});
  expect_right({{0, 0}, Format::float32, OperatorKind::min});
  expect_right({{0}, Format::uint32x4, custom_operators()[3].description()});
}

TEST(ReduceTest, one_tile_writes_the_total_itself) {
  EXPECT_EQ(lines_of(plan_of({.rows = {1024}, .lead = 0})), R"(
reduce_tiles 1x1x1 (1024 1) input0[4096] output0[4]
)");
}

TEST(ReduceTest, tiles_are_totalled_up_until_one_is_left) {
  const Plan plan = plan_of({.rows = {1 << 20 | 4}, .lead = 0});
  EXPECT_EQ(lines_of(plan), R"(
reduce_tiles 1025x1x1 (1048580 1025) totals1[4100] input0[4194320]
reduce_tiles 2x1x1 (1025 2) totals2[8] totals1[4100]
reduce_tiles 1x1x1 (2 1) totals2[8] output0[4]
)");
  EXPECT_EQ(plan.workload.bytes_read, 4u * (1048580 + 1025 + 2));
  EXPECT_EQ(plan.workload.bytes_written, 4u * (1025 + 2 + 1));
  EXPECT_EQ(plan.nodes[0].path, "reduce-then-scan");
}

TEST(ReduceTest, subgroups_and_the_path_choose_the_tile) {
  const DeviceProfile profile{.capabilities = {.subgroups = true}};
  const auto tiles = [&](Path path) {
    return plan_of({.rows = {1 << 16}, .path = path}, profile).dispatches[0].shape[0];
  };
  EXPECT_EQ(tiles(Path::automatic), 16u) << "of 16 rows a lane";
  EXPECT_EQ(tiles(Path::chained), 64u) << "of 4 rows a lane";
}

TEST(ReduceTest, contract_T_1_every_type_and_operator) {
  for (const OperatorKind kind : {OperatorKind::sum, OperatorKind::min, OperatorKind::max}) {
    for (const Format format :
         {Format::uint32, Format::int32, Format::float32, Format::uint64, Format::int64}) {
      for (const std::uint64_t rows : {1u, 3u, 1023u, 1025u, 5000u})
        expect_right({{rows}, format, kind});
    }
  }
  const Format records[] = {Format::uint32, Format::uint32x2, Format::uint32x3, Format::uint32x4};
  for (const CustomOperator& custom : custom_operators()) {
    for (const std::uint64_t rows : {1u, 5u, 1026u, 3000u})
      expect_right({{rows}, records[custom.oracle.words - 1], custom.description()});
  }
}

TEST(ReduceTest, chunks_and_levels_keep_the_order_of_rows) {
  const Operator affine = custom_operators()[1].description();
  expect_right({{1, 0, 700, 33, 2000}, Format::uint32x2, affine});
  expect_right({{3000, 7, 1}, Format::uint32x2, affine, Path::chained});
  DeviceProfile profile;
  ASSERT_TRUE(lower_limit(profile.limits, "maxComputeInvocationsPerWorkgroup=32"));
  ASSERT_TRUE(lower_limit(profile.limits, "maxBufferSize=64"));
  expect_right({{30000, 300}, Format::uint32x2, affine}, {}, profile);
}

TEST(ReduceTest, contract_SC_16_fewer_rows_than_planned_for) {
  for (const std::uint32_t rows : {0u, 1u, 699u, 700u, 701u, 1024u, 3000u, 3001u}) {
    const Operator affine = custom_operators()[1].description();
    const std::vector<std::uint64_t> chunks = {700, 2301};
    expect_right({chunks, Format::uint32x2, affine}, rows);
    expect_right({chunks, Format::uint32x2, affine, Path::chained, rows});
    expect_right({chunks, Format::uint32x2, affine, Path::automatic, 3001}, rows);
    expect_right({{70000}, Format::uint32, {}, Path::automatic, rows}, 2000);
  }
}

struct ReduceRulesTest : ::testing::Test {
  void expect_refused(ErrorCode code, const std::string& message) {
    const auto added = graph.add(reduce);
    ASSERT_FALSE(added) << "expected: " << message;
    EXPECT_EQ(added.error().message, message);
    EXPECT_STREQ(to_string(added.error().code), to_string(code));
  }

  Graph graph;
  BufferId input = graph.import_buffer({"input", 64}).value();
  BufferId output = graph.import_buffer({"output", 64}).value();
  Reduce reduce{.id = "r",
                .input = DataView{.buffer = input, .rows = 4},
                .output = DataView{.buffer = output, .rows = 1}};
};

TEST_F(ReduceRulesTest, the_output_is_one_row) {
  reduce.output.chunks[0].rows = 4;
  expect_refused(ErrorCode::invalid_argument, "Output of reduce 'r' is one row, not 4.");
}

TEST_F(ReduceRulesTest, A7_the_output_shares_no_buffer_with_what_is_read) {
  reduce.output = DataView{.buffer = input, .rows = 1, .byte_offset = 32};
  expect_refused(ErrorCode::aliasing,
                 "Input of reduce 'r' lies in buffer 'input', where its output is written.");
  reduce.output = DataView{.buffer = output, .rows = 1};
  reduce.row_count = DataView{.buffer = output, .rows = 1, .byte_offset = 8};
  expect_refused(ErrorCode::aliasing,
                 "Row count of reduce 'r' lies in buffer 'output', where its output is written.");
}

TEST_F(ReduceRulesTest, formats_are_those_of_the_operator) {
  reduce.output.chunks[0].format = Format::float32;
  expect_refused(ErrorCode::invalid_view,
                 "The rows of reduce 'r' are uint32 and float32, which its operator takes for "
                 "different things.");
  reduce.output.chunks[0].format = Format::uint32;
  reduce.op = custom_operators()[3].description();
  expect_refused(ErrorCode::invalid_argument,
                 "The operator of reduce 'r' takes rows of 4 words, not of 1.");
}

TEST_F(ReduceRulesTest, M5_a_total_of_64_bits_is_no_word) {
  reduce.input.chunks[0].format = Format::uint64;
  expect_refused(ErrorCode::invalid_view,
                 "The rows of reduce 'r' are uint64 and uint32, which its operator takes for "
                 "different things.");
}

TEST_F(ReduceRulesTest, contract_SC_11_subgroups_that_the_device_lacks_are_an_error) {
  reduce.subgroups = Subgroups::on;
  ASSERT_TRUE(graph.add(reduce));
  EXPECT_EQ(graph.compile({}).error().message,
            "Reduce 'r' asks for subgroups, which the device does not offer.");
}

}  // namespace
}  // namespace wgprim::testing
