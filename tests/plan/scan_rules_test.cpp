// What Graph::add refuses of scans beyond lengths and aliasing of input and output: flags, start
// values, carries, operators and formats, each by its sentence.
#include <gtest/gtest.h>

#include "support/case.hpp"
#include "support/kernel_operator.hpp"

namespace wgprim::testing {
namespace {

/// A graph with buffers of 64 bytes and a scan of 4 rows of 'input' into 'output'.
struct ScanFixture : ::testing::Test {
  ScanFixture() { scan = {.id = "s", .input = rows_of(input), .output = rows_of(output)}; }

  BufferId import(const char* id) { return graph.import_buffer({id, 64}).value(); }

  static DataView rows_of(BufferId buffer, Format format = Format::uint32, std::uint64_t rows = 4) {
    return {.buffer = buffer, .rows = rows, .format = format};
  }

  void expect_refused(ErrorCode code, const std::string& message) {
    const auto added = graph.add(scan);
    ASSERT_FALSE(added) << "expected: " << message;
    EXPECT_EQ(added.error().message, message);
    EXPECT_STREQ(to_string(added.error().code), to_string(code));
  }

  void expect_taken() {
    const auto added = graph.add(scan);
    EXPECT_TRUE(added) << added.error().message;
  }

  Graph graph;
  BufferId input = import("input");
  BufferId output = import("output");
  BufferId flags = import("flags");
  BufferId spare = import("spare");
  Scan scan;
};

using ScanRulesTest = ScanFixture;

TEST_F(ScanRulesTest, contract_SC_4_fewer_flags_than_rows) {
  scan.segment_flags = rows_of(flags, Format::uint32, 3);
  expect_refused(ErrorCode::invalid_argument,
                 "Segment flags of scan 's' hold 3 rows, fewer than the input's 4.");
}

TEST_F(ScanRulesTest, flags_are_words) {
  scan.segment_flags = rows_of(flags, Format::float32);
  EXPECT_FALSE(graph.add(scan));
  scan.segment_flags = rows_of(flags, Format::int32);
  expect_taken();
}

TEST_F(ScanRulesTest, case_J05_contract_SC_5_flags_share_no_buffer_with_the_output) {
  scan.segment_flags = DataView{.buffer = output, .rows = 4, .byte_offset = 32};
  expect_refused(ErrorCode::aliasing,
                 "Segment flags of scan 's' lie in buffer 'output', where its output is written.");
}

TEST_F(ScanRulesTest, A5_A7_A8_output_over_the_flags) {
  scan.input = rows_of(input, Format::uint64);
  scan.output = rows_of(output, Format::uint64);
  scan.segment_flags = rows_of(output);
  expect_refused(ErrorCode::aliasing,
                 "Segment flags of scan 's' lie in buffer 'output', where its output is written.");
}

TEST_F(ScanRulesTest, contract_SC_5_flags_may_share_with_the_input) {
  scan.segment_flags = rows_of(input);
  expect_taken();
}

TEST_F(ScanRulesTest, contract_SC_13_carry_in_and_an_initial_value) {
  scan.init = 5u;
  scan.carry_in = rows_of(spare, Format::uint32, 1);
  expect_refused(ErrorCode::invalid_argument, "Scan 's' has both an initial value and a carry_in.");
}

TEST_F(ScanRulesTest, contract_SC_13_an_initial_value_of_segments_stands_beside_a_carry_in) {
  scan.segment_init = 5u;
  expect_refused(ErrorCode::invalid_argument,
                 "Scan 's' has an initial value of segments, but no carry_in; 'init' is for both.");
  scan.carry_in = rows_of(spare, Format::uint32, 1);
  scan.segment_init = 0.5f;
  expect_refused(ErrorCode::invalid_argument,
                 "The initial value of scan 's' is float32, its rows are not.");
  scan.segment_init = 5u;
  expect_taken();
}

TEST_F(ScanRulesTest, contract_SC_13_carries_are_one_row) {
  scan.carry_in = rows_of(spare, Format::uint32, 2);
  expect_refused(ErrorCode::invalid_argument, "carry_in of scan 's' is one row, not 2.");
  scan.carry_in.reset();
  scan.carry_out = rows_of(spare, Format::uint32, 0);
  expect_refused(ErrorCode::invalid_argument, "carry_out of scan 's' is one row, not 0.");
}

TEST_F(ScanRulesTest, contract_SC_13_carry_in_shares_no_buffer_with_the_output) {
  scan.carry_in = DataView{.buffer = output, .rows = 1, .byte_offset = 60};
  expect_refused(ErrorCode::aliasing,
                 "carry_in of scan 's' lies in buffer 'output', where its output is written.");
}

TEST_F(ScanRulesTest, contract_SC_13_carry_out_shares_no_buffer_with_what_the_scan_uses) {
  scan.segment_flags = rows_of(flags);
  scan.carry_out = DataView{.buffer = input, .rows = 1, .byte_offset = 60};
  expect_refused(ErrorCode::aliasing,
                 "Input of scan 's' lies in buffer 'input', where its carry_out is written.");
  scan.carry_out->buffer = output;
  expect_refused(ErrorCode::aliasing,
                 "Output of scan 's' lies in buffer 'output', where its carry_out is written.");
  scan.carry_out->buffer = flags;
  expect_refused(
      ErrorCode::aliasing,
      "Segment flags of scan 's' lie in buffer 'flags', where its carry_out is written.");
  scan.carry_out->buffer = spare;
  scan.carry_in = DataView{.buffer = spare, .rows = 1};
  expect_refused(ErrorCode::aliasing,
                 "carry_in of scan 's' lies in buffer 'spare', where its carry_out is written.");
  scan.carry_in.reset();
  scan.row_count = DataView{.buffer = spare, .rows = 1};
  expect_refused(ErrorCode::aliasing,
                 "Row count of scan 's' lies in buffer 'spare', where its carry_out is written.");
}

TEST_F(ScanRulesTest, contract_SC_13_formats_of_carries_are_those_of_the_rows) {
  scan.carry_in = rows_of(spare, Format::uint64, 1);
  expect_refused(ErrorCode::invalid_view,
                 "The rows of scan 's' are uint32 and uint64, which its operator takes for "
                 "different things.");
}

TEST_F(ScanRulesTest, contract_T_1_formats_that_the_operator_tells_apart) {
  scan.output = rows_of(output, Format::int32);
  expect_taken();
  scan.id = "min";
  scan.op.kind = OperatorKind::min;
  const auto added = graph.add(scan);
  ASSERT_FALSE(added) << "sums of uint32 and int32 are the same, minima are not";
  EXPECT_EQ(added.error().message,
            "The rows of scan 'min' are uint32 and int32, which its operator takes for different "
            "things.");
}

TEST_F(ScanRulesTest, M4_contract_SC_14_the_initial_value_has_the_format_of_the_rows) {
  scan.init = 0.5f;
  expect_refused(ErrorCode::invalid_argument,
                 "The initial value of scan 's' is float32, its rows are not.");
  scan.init = std::uint64_t{1};
  expect_refused(ErrorCode::invalid_argument,
                 "The initial value of scan 's' is uint64, its rows are not.");
  scan.init = std::int64_t{1};
  expect_refused(ErrorCode::invalid_argument,
                 "The initial value of scan 's' is int64, its rows are not.");
  scan.init = -1;
  expect_taken();
}

TEST_F(ScanRulesTest, contract_T_1_records_take_a_custom_operator) {
  scan.input = rows_of(input, Format::uint32x3);
  scan.output = rows_of(output, Format::uint32x3);
  expect_refused(ErrorCode::invalid_argument,
                 "The rows of scan 's' are uint32x3 records, which only a custom operator "
                 "combines.");
  scan.op = custom_operators()[2].description();
  expect_taken();
}

TEST_F(ScanRulesTest, contract_T_1_a_custom_operator_is_as_wide_as_the_rows) {
  scan.op = custom_operators()[1].description();
  expect_refused(ErrorCode::invalid_argument,
                 "The operator of scan 's' takes rows of 2 words, not of 1.");
  scan.op.words = 1;
  scan.input = scan.output = rows_of(input, Format::uint64);
  expect_refused(ErrorCode::invalid_argument,
                 "The operator of scan 's' takes rows of 1 word, not of 2.");
}

TEST_F(ScanRulesTest, contract_T_2_integer_scans_may_be_asked_to_be_deterministic) {
  scan.is_deterministic = true;
  scan.input = scan.output = rows_of(input, Format::float32);
  expect_taken();
  const auto plan = graph.compile({});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->nodes[0].is_deterministic) << "sums of f32 go in one order, too";
}

TEST_F(ScanRulesTest, a_row_count_is_one_word_apart_from_the_output) {
  scan.row_count = rows_of(spare, Format::uint32, 2);
  expect_refused(ErrorCode::invalid_argument, "Row count of scan 's' is one row, not 2.");
  scan.row_count = DataView{.buffer = output, .rows = 1, .byte_offset = 60};
  expect_refused(ErrorCode::aliasing,
                 "Row count of scan 's' lies in buffer 'output', where its output is written.");
}

TEST_F(ScanRulesTest, contract_G_2_carries_are_read_and_written) {
  const BufferId readable = graph.import_buffer({"readable", 64, {Use::vertex}}).value();
  scan.carry_out = rows_of(readable, Format::uint32, 1);
  EXPECT_FALSE(graph.add(scan));
  scan.carry_out.reset();
  scan.carry_in = rows_of(readable, Format::uint32, 1);
  EXPECT_FALSE(graph.add(scan));
}

TEST_F(ScanRulesTest, contract_H_1_what_a_scan_uses_orders_the_nodes) {
  scan.segment_flags = rows_of(flags);
  scan.carry_in = rows_of(spare, Format::uint32, 1);
  scan.depends_on = {"later"};
  expect_taken();
  ASSERT_TRUE(graph.add(Clear{.id = "later", .destination = rows_of(import("other"))}));
  ASSERT_TRUE(graph.add(Clear{.id = "wipe", .destination = rows_of(flags)}));
  const Plan plan = graph.compile({}).value();
  EXPECT_EQ(plan.nodes[0].id, "later");
  EXPECT_EQ(plan.nodes[1].id, "s");
  EXPECT_EQ(plan.nodes[2].id, "wipe") << "a writer comes after the readers of its buffer";
}

}  // namespace
}  // namespace wgprim::testing
