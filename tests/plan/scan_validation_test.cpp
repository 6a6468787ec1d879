// What Graph refuses: lengths, aliasing, ids, a frozen graph, and what the device lacks.
#include <gtest/gtest.h>

#include "support/case.hpp"

namespace wgprim::testing {
namespace {

void expect_refused(const Result<Plan>& plan, ErrorCode code, const std::string& message) {
  ASSERT_FALSE(plan) << "expected: " << message;
  EXPECT_STREQ(to_string(plan.error().code), to_string(code));
  EXPECT_EQ(plan.error().message, message);
}

Scan scan_of(std::string id, BufferId buffer) {
  const DataView view{.buffer = buffer, .rows = 16};
  return {.id = std::move(id), .input = view, .output = view};
}

TEST(ScanValidationTest, contract_SC_4_a_shorter_output_is_refused) {
  expect_refused(plan_scan(chunked_scan({128}, {60, 40})), ErrorCode::invalid_argument,
                 "Output of scan 'scan' holds 100 rows, fewer than the input's 128.");
  EXPECT_TRUE(plan_scan(chunked_scan({128}, {60, 68})));
}

TEST(ScanValidationTest, contract_SC_6_the_same_view_is_in_place) {
  const auto plan = plan_scan(in_place_scan(1000));
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<std::size_t> bindings;
  for (const PlanDispatch& dispatch : plan->dispatches)
    bindings.push_back(dispatch.bindings.size());
  EXPECT_EQ(bindings, (std::vector<std::size_t>{2, 1, 2})) << "rows and sums, sums, rows and sums";
}

TEST(ScanValidationTest, contract_SC_6_the_same_rows_are_in_place_however_they_are_written_down) {
  Graph graph;
  const BufferId data = graph.import_buffer({"data", 64}).value();
  const DataView view{.buffer = data, .rows = 16};
  DataView spelt_out = view;
  spelt_out.byte_stride = 4;
  const DataView nothing{.buffer = data, .rows = 0, .byte_offset = 8};
  EXPECT_TRUE(graph.add(Scan{.id = "stride", .input = view, .output = spelt_out}));
  EXPECT_TRUE(graph.add(Scan{
      .id = "empty", .input = VectorView({nothing, view}), .output = VectorView({view, nothing})}));
}

TEST(ScanValidationTest, contract_SC_6_a_partial_overlap_is_refused_naming_both_views) {
  ScanCase scan = shared_buffer_scan(16, 0);
  scan.output[0].byte_offset = scan.input[0].byte_offset + 60;
  expect_refused(plan_scan(scan), ErrorCode::aliasing,
                 "Scan 'scan' reads 'data' [4, 68) and writes 'data' [64, 128), which overlap; in "
                 "place needs the same views, chunk for chunk.");
  scan.output[0].byte_offset += 4;
  EXPECT_TRUE(plan_scan(scan)) << "ranges that touch do not overlap";
}

TEST(ScanValidationTest, contract_SC_6_in_place_chunks_must_keep_their_order_and_borders) {
  ScanCase scan{.buffers = {{"data", 80}}, .input = {{0, 8, 0}, {0, 12, 32}}};
  scan.output = scan.input;
  EXPECT_TRUE(plan_scan(scan));
  scan.output = {{0, 20, 0}};
  EXPECT_FALSE(plan_scan(scan)) << "the same rows in other chunks";
  scan.output = {{0, 12, 32}, {0, 8, 0}};
  EXPECT_FALSE(plan_scan(scan)) << "the same chunks in another order";
}

TEST(ScanValidationTest, contract_SC_17_ids_are_unique_and_not_empty) {
  Graph graph;
  const BufferId data = graph.import_buffer({"data", 64}).value();
  ASSERT_TRUE(graph.add(scan_of("totals", data)));
  const auto repeated = graph.add(scan_of("totals", data));
  ASSERT_FALSE(repeated);
  EXPECT_EQ(repeated.error().code, ErrorCode::invalid_graph);
  EXPECT_EQ(repeated.error().message, "Node id 'totals' is taken already.");
  EXPECT_EQ(graph.add(scan_of("", data)).error().message, "Node id is empty.");
  EXPECT_EQ(graph.import_buffer({"data", 4}).error().message, "Buffer id 'data' is taken already.");
  EXPECT_EQ(graph.import_buffer({"", 4}).error().message, "Buffer id is empty.");
}

TEST(ScanValidationTest, a_refused_scan_leaves_the_graph_as_it_was) {
  Graph graph;
  const BufferId data = graph.import_buffer({"data", 64}).value();
  Scan scan = scan_of("totals", data);
  scan.output = DataView{.buffer = data, .rows = 16, .byte_offset = 4};
  ASSERT_FALSE(graph.add(scan));
  EXPECT_TRUE(graph.add(scan_of("totals", data))) << "its id is still free";
  EXPECT_EQ(graph.compile({})->nodes.size(), 1u);
}

TEST(ScanValidationTest, contract_G_4_compiling_freezes_the_graph) {
  Graph graph;
  const BufferId data = graph.import_buffer({"data", 64}).value();
  ASSERT_TRUE(graph.add(scan_of("a", data)));
  const auto first = graph.compile({});
  ASSERT_TRUE(first);
  EXPECT_EQ(graph.add(scan_of("b", data)).error().message,
            "Node 'b' comes after the graph was compiled.");
  EXPECT_EQ(graph.import_buffer({"more", 4}).error().message,
            "Buffer 'more' comes after the graph was compiled.");
  EXPECT_EQ(graph.compile({}).value(), *first) << "and it compiles to the same plan again";
}

TEST(ScanValidationTest, contract_G_4_a_failed_compile_freezes_the_graph_too) {
  Graph graph;
  const BufferId data = graph.import_buffer({"data", 64}).value();
  Scan scan = scan_of("a", data);
  scan.subgroups = Subgroups::on;
  ASSERT_TRUE(graph.add(scan));
  ASSERT_FALSE(graph.compile({}));
  EXPECT_EQ(graph.add(scan_of("b", data)).error().code, ErrorCode::invalid_graph);
}

TEST(ScanValidationTest, contract_SC_11_subgroups_that_the_device_lacks_are_an_error) {
  ScanCase scan = separate_scan(10);
  scan.subgroups = Subgroups::on;
  expect_refused(plan_scan(scan), ErrorCode::unsupported,
                 "Scan 'scan' asks for subgroups, which the device does not offer.");
  EXPECT_TRUE(plan_scan(scan, {.capabilities = {.subgroups = true}}));
}

TEST(ScanValidationTest, contract_SC_12_subgroups_are_used_where_they_are_and_wanted) {
  const auto uses = [](Subgroups wish, bool has) {
    ScanCase scan = separate_scan(300);
    scan.subgroups = wish;
    const auto plan = plan_scan(scan, {.capabilities = {.subgroups = has}});
    const bool in_kernel = plan->kernels[0].name == "scan_blocks_subgroup";
    EXPECT_EQ(in_kernel, plan->nodes[0].uses_subgroups);
    EXPECT_EQ(in_kernel, plan->kernels[0].uses_subgroups);
    return in_kernel;
  };
  EXPECT_TRUE(uses(Subgroups::automatic, true));
  EXPECT_FALSE(uses(Subgroups::automatic, false));
  EXPECT_TRUE(uses(Subgroups::on, true));
  EXPECT_FALSE(uses(Subgroups::off, true));
}

TEST(ScanValidationTest, contract_V_8_more_than_the_rows_of_one_operation_are_refused) {
  const std::uint64_t most = 0xffffffff;
  ScanCase scan = separate_scan(most);
  EXPECT_TRUE(plan_scan(scan));
  expect_refused(
      plan_scan(separate_scan(most + 1)), ErrorCode::limit_exceeded,
      "Input of scan 'scan' holds 4294967296 rows or more, above the 4294967295 that one "
      "operation takes.");
  EXPECT_FALSE(plan_scan(chunked_scan({most, 1}, {most, 1})));
}

TEST(ScanValidationTest, contract_SC_15_limits_that_no_kernel_fits_are_named) {
  const auto message_with = [](std::string limit, std::uint64_t rows) {
    ScanCase scan = separate_scan(rows);
    scan.limits = {std::move(limit)};
    const auto plan = plan_scan(scan);
    return plan ? "" : plan.error().message;
  };
  EXPECT_EQ(message_with("maxStorageBuffersPerShaderStage=2", 257),
            "Kernel 'scan_blocks' of node 'scan' binds 3 buffers, more than the device allows (2, "
            "maxStorageBuffersPerShaderStage).");
  EXPECT_EQ(message_with("maxComputeWorkgroupStorageSize=1023", 10),
            "Node 'scan' takes 1024 bytes of workgroup memory, more than the device's limit "
            "maxComputeWorkgroupStorageSize (1023).");
  EXPECT_EQ(message_with("maxComputeWorkgroupStorageSize=1024", 10), "");
  EXPECT_EQ(message_with("maxComputeInvocationsPerWorkgroup=31", 10),
            "Node 'scan' takes workgroups of at least 32 invocations, more than the device's 31 "
            "(maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX).");
  EXPECT_EQ(message_with("maxStorageBufferBindingSize=4", 10),
            "Node 'scan' cannot hold the totals of two blocks within 4 bytes "
            "(maxStorageBufferBindingSize).");
  EXPECT_EQ(message_with("maxBufferSize=7", 10),
            "Node 'scan' cannot hold the totals of two blocks within 7 bytes (maxBufferSize).");
  EXPECT_EQ(message_with("maxBufferSize=8", 100000), "");
  EXPECT_EQ(message_with("maxComputeWorkgroupsPerDimension=2", 2048), "");
  EXPECT_EQ(
      message_with("maxComputeWorkgroupsPerDimension=2", 2049),
      "Node 'scan': A dispatch over 2049 rows takes 9 workgroups of 256 rows, more than three "
      "dimensions of 2 hold (maxComputeWorkgroupsPerDimension).");
}

TEST(ScanValidationTest, sums_take_as_many_buffers_as_their_bindings_ask_for) {
  // Five buffers of a row each: the fifth sum would lie at byte 16, out of the reach of 16 bytes.
  ScanCase scan = chunked_scan({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1});
  for (auto* chunks : {&scan.input, &scan.output}) {
    for (Chunk& chunk : *chunks)
      chunk.byte_offset = 0;
  }
  scan.limits = {"maxStorageBufferBindingSize=16"};
  const auto plan = plan_scan(scan);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_LE(plan->largest_binding_bytes, 16u);
}

TEST(ScanValidationTest, a_row_that_no_binding_holds_is_refused) {
  ScanCase scan = separate_scan(1);
  scan.input[0].byte_offset = 8;
  scan.limits = {"maxStorageBufferBindingSize=8"};
  expect_refused(plan_scan(scan), ErrorCode::limit_exceeded,
                 "Node 'scan' cannot bind a single row within 8 bytes "
                 "(maxStorageBufferBindingSize).");
}

}  // namespace
}  // namespace wgprim::testing
