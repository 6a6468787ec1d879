// Views: what a scan's operands may look like (contract V-1 to V-5) and how they are bound.
#include "wgprim/view.hpp"

#include <gtest/gtest.h>

#include "graph/plan_builder.hpp"
#include "support/case.hpp"

namespace wgprim::testing {
namespace {

/// Adds a scan of `view` in a 512-byte buffer 'data' into a large buffer 'output'.
Result<void> add_scan_of(DataView view) {
  Graph graph;
  view.buffer = graph.import_buffer({"data", 512}).value();
  const BufferId output = graph.import_buffer({"output", 1 << 20}).value();
  return graph.add(
      Scan{.id = "s", .input = view, .output = DataView{.buffer = output, .rows = view.rows}});
}

void expect_refused(const DataView& view, const std::string& message) {
  const auto added = add_scan_of(view);
  ASSERT_FALSE(added) << "expected: " << message;
  EXPECT_EQ(added.error().code, ErrorCode::invalid_view);
  EXPECT_EQ(added.error().message, message);
}

TEST(ViewTest, case_B01) {
  expect_refused({.rows = 1, .byte_offset = 2},
                 "Input of scan 's' starts at byte 2 of buffer 'data', which is not a multiple of "
                 "4.");
}

TEST(ViewTest, case_F08) {
  const BoundView bound = bind_rows(3, {.buffer = 7, .byte_offset = 260, .rows = 1});
  EXPECT_EQ(bound.binding, (PlanBinding{.binding = 3, .buffer = 7, .offset = 256, .bytes = 8}));
  EXPECT_EQ(bound.first_row, 1u);
}

TEST(ViewTest, case_F10) {
  Graph graph;
  const BufferId data = graph.import_buffer({"data", 16}).value();
  const auto message_for = [&](std::uint64_t offset) {
    const DataView view{.buffer = data, .rows = 4, .byte_offset = offset};
    const auto added = graph.add(Scan{.id = "s", .input = view, .output = view});
    return added ? "" : added.error().message;
  };
  EXPECT_EQ(message_for(4),
            "Input of scan 's' takes 4 rows from byte 4 on, beyond the end of buffer 'data' (16 "
            "bytes).");
  EXPECT_EQ(message_for((std::uint64_t{1} << 53) - 1),
            "Input of scan 's' starts at byte 9007199254740991 of buffer 'data', which is not a "
            "multiple of 4.");
  EXPECT_EQ(message_for(UINT64_MAX - 3),
            "Input of scan 's' takes 4 rows from byte 18446744073709551612 on, beyond the end of "
            "buffer 'data' (16 bytes).");
  EXPECT_EQ(message_for(0), "");
}

TEST(ViewTest, contract_V_1_the_last_row_may_end_with_the_buffer) {
  EXPECT_TRUE(add_scan_of({.rows = 128}));
  EXPECT_TRUE(add_scan_of({.rows = 1, .byte_offset = 508}));
  expect_refused({.rows = 129},
                 "Input of scan 's' takes 129 rows from byte 0 on, beyond the end of buffer 'data' "
                 "(512 bytes).");
}

TEST(ViewTest, contract_V_2_no_number_of_rows_wraps_around) {
  // Four times these are 0, 4 and 2^64 - 4 modulo 2^64.
  for (const std::uint64_t rows :
       {std::uint64_t{1} << 62, (std::uint64_t{1} << 62) + 1, (std::uint64_t{1} << 62) - 1}) {
    expect_refused({.rows = rows, .byte_offset = 4},
                   "Input of scan 's' takes " + std::to_string(rows) +
                       " rows from byte 4 on, beyond the end of buffer 'data' (512 bytes).");
  }
}

TEST(ViewTest, contract_V_2_a_buffer_of_another_graph_is_refused) {
  Graph other;
  const BufferId foreign = other.import_buffer({"data", 512}).value();
  Graph graph;
  const BufferId own = graph.import_buffer({"data", 512}).value();
  for (const BufferId stranger : {foreign, BufferId{}, BufferId{own.owner, 1}}) {
    const auto added =
        graph.add(Scan{.id = "s",
                       .input = DataView{.buffer = own, .rows = 4},
                       .output = DataView{.buffer = stranger, .rows = 4, .byte_offset = 256}});
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, ErrorCode::invalid_view);
    EXPECT_EQ(added.error().message, "Output of scan 's' lies in a buffer of another graph.");
  }
}

TEST(ViewTest, contract_V_3_zero_rows_are_legal_up_to_the_end) {
  EXPECT_TRUE(add_scan_of({.rows = 0, .byte_offset = 512}));
  expect_refused({.rows = 0, .byte_offset = 516},
                 "Input of scan 's' takes 0 rows from byte 516 on, beyond the end of buffer 'data' "
                 "(512 bytes).");
}

TEST(ViewTest, contract_V_3_empty_chunks_cost_nothing) {
  const auto dense = plan_scan(chunked_scan({300, 20}, {320}));
  ScanCase sparse = chunked_scan({0, 300, 0, 0, 20, 0}, {0, 320, 0});
  const auto plan = plan_scan(sparse);
  ASSERT_TRUE(dense && plan);
  EXPECT_EQ(plan->dispatches.size(), dense->dispatches.size());
}

TEST(ViewTest, contract_V_4_strided_rows_are_refused_by_name) {
  expect_refused({.rows = 2, .byte_stride = 8},
                 "Input of scan 's' in buffer 'data' has a stride of 8 bytes, but rows of 4 bytes "
                 "must be packed.");
  expect_refused({.rows = 2, .byte_stride = 0},
                 "Input of scan 's' in buffer 'data' has a stride of 0 bytes, but rows of 4 bytes "
                 "must be packed.");
  EXPECT_TRUE(add_scan_of({.rows = 2, .byte_stride = 4}));
  EXPECT_TRUE(add_scan_of({.rows = 1, .byte_stride = 0}));
}

TEST(ViewTest, contract_V_4_any_offset_binds_lower_and_adds_an_element_offset) {
  for (const std::uint64_t offset : {0u, 4u, 252u, 256u, 260u, 1020u}) {
    ScanCase scan = separate_scan(300);
    scan.buffers = {{"input", 4096}, {"output", 4096}};
    scan.input[0].byte_offset = offset;
    const auto plan = plan_scan(scan);
    ASSERT_TRUE(plan) << plan.error().message;
    const PlanDispatch& first = plan->dispatches.front();
    EXPECT_EQ(first.bindings[2].offset, offset / 256 * 256);
    EXPECT_EQ(first.bindings[2].bytes, offset % 256 + 1200);
    EXPECT_EQ(first.parameters[2], offset % 256 / 4);
  }
}

TEST(ViewTest, contract_V_5_chunks_of_an_output_must_not_share_bytes) {
  ScanCase scan = chunked_scan({20}, {10, 10});
  scan.buffers[2].bytes = 400;
  scan.output = {{2, 10, 100}, {2, 10, 64}};
  const auto overlapping = plan_scan(scan);
  ASSERT_FALSE(overlapping);
  EXPECT_EQ(overlapping.error().code, ErrorCode::aliasing);
  EXPECT_EQ(overlapping.error().message,
            "Output of scan 'scan' has chunks that share bytes: 'output1' [64, 104) and 'output1' "
            "[100, 140).");
  scan.output[1].byte_offset = 60;
  EXPECT_TRUE(plan_scan(scan)) << "chunks that touch do not overlap";
  scan.output = {{2, 0, 64}, {2, 20, 64}};
  EXPECT_TRUE(plan_scan(scan)) << "an empty chunk overlaps nothing";
}

TEST(ViewTest, contract_V_5_chunks_of_an_input_may_repeat) {
  ScanCase scan = chunked_scan({10, 10}, {20});
  scan.input[1] = scan.input[0];
  EXPECT_TRUE(plan_scan(scan));
}

}  // namespace
}  // namespace wgprim::testing
