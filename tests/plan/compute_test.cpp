// Compute, copy, clear and external nodes: what is refused, and the commands that they become.
#include <gtest/gtest.h>

#include "graph/spans.hpp"
#include "support/graphs.hpp"
#include "support/time_limit.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim::testing {
namespace {

class ComputeTest : public ::testing::Test {
 protected:
  Graph graph_;
  DataView data_ = imported(graph_, "data", 1024);
  DataView other_ = imported(graph_, "other", 1024);

  static ComputeUse write(const DataView& view, std::uint32_t binding) {
    return {.view = view, .access = Use::storage_write, .binding = binding};
  }
  static ComputeUse read(const DataView& view, std::uint32_t binding) {
    return {.view = view, .access = Use::storage_read, .binding = binding};
  }
  DataView part(std::uint64_t offset, std::uint64_t bytes) const {
    return {.buffer = data_.buffer, .rows = bytes / 4, .byte_offset = offset};
  }
  Result<void> add(std::vector<ComputeUse> uses) {
    return graph_.add(Compute{.id = "k", .wgsl = wgsl_with(2), .uses = std::move(uses)});
  }
};

TEST_F(ComputeTest, case_G11_writes_whose_ranges_share_bytes_overlap) {
  expect_error(add({write(part(0, 512), 0), write(part(256, 64), 1)}), ErrorCode::aliasing,
               "Node 'k' uses buffer 'data' as storage-write by binding 0 and as storage-write by "
               "binding 1; the ranges bound, which start at multiples of 256 bytes, overlap.");
}

TEST_F(ComputeTest, case_G11_writes_256_bytes_apart_are_fine) {
  ASSERT_TRUE(add({write(part(0, 64), 0), write(part(256, 64), 1)}));
  const auto plan = graph_.compile({}).value();
  ASSERT_EQ(plan.dispatches.size(), 1u);
  EXPECT_EQ(plan.dispatches[0].bindings,
            (std::vector<PlanBinding>{{0, 0, 0, 64}, {1, 0, 256, 64}}));
}

TEST_F(ComputeTest, contract_E_4_reading_and_writing_one_buffer_is_refused_at_any_ranges) {
  expect_error(add({read(part(0, 64), 0), write(part(512, 64), 1)}), ErrorCode::aliasing,
               "Node 'k' uses buffer 'data' as storage-read by binding 0 and as storage-write by "
               "binding 1; one dispatch cannot do both, whatever the ranges.");
  EXPECT_TRUE(add({read(part(0, 64), 0), read(part(0, 64), 1)}));
}

TEST_F(ComputeTest, contract_E_4_writing_what_is_also_uniform_or_indirect_is_refused) {
  EXPECT_FALSE(add({write(part(0, 64), 0), {part(512, 64), Use::uniform, 1}}));
  Compute compute{.id = "k", .wgsl = wgsl_with(1), .uses = {write(part(0, 64), 0)}};
  compute.indirect = {.view = part(512, 64)};
  expect_error(graph_.add(compute), ErrorCode::aliasing,
               "Node 'k' uses buffer 'data' as storage-write by binding 0 and as indirect by the "
               "workgroup record; one dispatch cannot do both, whatever the ranges.");
  compute.uses = {read(part(0, 64), 0)};
  EXPECT_TRUE(graph_.add(compute));
}

TEST_F(ComputeTest, contract_CO_2_the_record_lies_within_its_view) {
  Compute compute{.id = "k", .wgsl = wgsl_with(1), .uses = {write(other_, 0)}};
  compute.indirect = {.view = part(4, 16), .byte_offset = 8};
  expect_error(graph_.add(compute), ErrorCode::invalid_view,
               "The workgroup record of node 'k' takes 12 bytes from byte 8 of its view on, which "
               "holds 16.");
  compute.indirect->byte_offset = 2;
  EXPECT_FALSE(graph_.add(compute));
  compute.indirect->byte_offset = 4;
  ASSERT_TRUE(graph_.add(compute));
  const auto plan = graph_.compile({}).value();
  EXPECT_EQ(plan.dispatches[0].indirect, (IndirectShape{0, 8}));
  EXPECT_EQ(plan.buffers[0].usage, kUsageIndirect + 0u);
}

TEST_F(ComputeTest, a_view_that_starts_between_multiples_of_256_is_refused) {
  const std::string sentence =
      "Binding 0 of node 'k' starts at byte 300 of buffer 'data', which is not a multiple of 256, "
      "as bindings need it; bind a view that starts at byte 256 and add the rest within the "
      "kernel.";
  expect_error(add({write(part(300, 8), 0)}), ErrorCode::invalid_view, sentence);
  expect_error(add({{part(300, 8), Use::uniform, 0}}), ErrorCode::invalid_view, sentence);
  EXPECT_TRUE(add({write(part(300, 0), 0)})) << "An empty view may stand anywhere.";
}

TEST_F(ComputeTest, more_uniforms_than_a_stage_takes_are_refused) {
  std::vector<ComputeUse> uses;
  for (std::uint32_t binding = 0; binding < 13; ++binding)
    uses.push_back({part(256, 16), Use::uniform, binding});
  ASSERT_TRUE(add(uses));
  expect_error(
      graph_.compile({}), ErrorCode::limit_exceeded,
      "Kernel 'touch' of node 'k' binds 13 uniform buffers, more than the device allows (12, "
      "maxUniformBuffersPerShaderStage).");
  EXPECT_TRUE(graph_.compile({.limits = {.max_uniform_buffers_per_shader_stage = 13}}));
}

TEST_F(ComputeTest, text_that_is_not_utf_8_is_refused) {
  const std::string wgsl = "@compute @workgroup_size(1) fn f() {} // ";
  expect_error(graph_.add(Compute{.id = "k", .wgsl = wgsl + "\xff"}), ErrorCode::invalid_argument,
               "Node 'k': The WGSL is not valid UTF-8 (byte 41, counted from 0).");
  expect_error(graph_.add(Compute{.id = "k", .wgsl = wgsl, .entry_point = "\xff"}),
               ErrorCode::invalid_argument, "Node 'k': The entry point's name is not valid UTF-8.");
  expect_error(graph_.add(Compute{.id = "k\xc3", .wgsl = wgsl}), ErrorCode::invalid_graph,
               "Node id is not valid UTF-8 (byte 1, counted from 0).");
  expect_error(graph_.import_buffer({.id = "\xed\xa0\x80", .bytes = 4}), ErrorCode::invalid_graph,
               "Buffer id is not valid UTF-8 (byte 0, counted from 0).");
  expect_error(graph_.name_view("\xc0\xaf", data_), ErrorCode::invalid_graph,
               "View id is not valid UTF-8 (byte 0, counted from 0).");
  Graph named("a\xff");
  expect_error(named.compile({}), ErrorCode::invalid_graph,
               "Graph id is not valid UTF-8 (byte 1, counted from 0).");
  expect_error(to_json(named), ErrorCode::invalid_graph,
               "Graph id is not valid UTF-8 (byte 1, counted from 0).");
  EXPECT_FALSE(graph_.add(Compute{.id = "k", .wgsl = wgsl, .depends_on = {"\xff"}}));
  EXPECT_FALSE(graph_.add(Compute{.id = "k", .wgsl = wgsl, .condition = "\xff"}));
  EXPECT_TRUE(graph_.add(Compute{.id = "k\xc3\xa4", .wgsl = wgsl + "\xf0\x9f\x98\x80"}));
}

TEST_F(ComputeTest, kernels_of_one_text_and_different_bindings_are_told_apart_in_linear_time) {
  const auto compile = [](std::uint32_t nodes) {
    Graph graph;
    const DataView data = imported(graph, "data", 1024);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      std::vector<ComputeUse> uses;
      for (std::uint32_t bit = 0; bit < 8; ++bit)
        uses.push_back(read(data, bit + (i >> bit & 1u) * 8 + (i >> 8) % 100 * 9));
      EXPECT_TRUE(
          graph.add(Compute{.id = concat("k", i), .wgsl = wgsl_with(0), .uses = std::move(uses)}));
    }
    return graph.compile({});
  };
  in_time([&] { EXPECT_EQ(compile(20'000)->kernels.size(), 20'000u); });
}

TEST_F(ComputeTest, work_that_64_bits_do_not_count_ends_at_the_most_they_do) {
  DeviceProfile profile;
  profile.limits.max_compute_workgroups_per_dimension = 0xffffffff;
  ASSERT_TRUE(
      graph_.add(Compute{.id = "k", .wgsl = wgsl_with(0), .workgroups = {1u << 31, 1u << 30, 2}}));
  ASSERT_TRUE(
      graph_.add(Compute{.id = "l", .wgsl = wgsl_with(0), .workgroups = {1u << 31, 1u << 30, 2}}));
  const auto plan = graph_.compile(profile).value();
  EXPECT_EQ(plan.dispatches[0].workload.invocations, ~std::uint64_t{0});
  EXPECT_EQ(plan.workload.invocations, ~std::uint64_t{0});
  EXPECT_EQ(plan.workload.workgroups, std::uint64_t{1} << 63);
}

TEST_F(ComputeTest, a_buffer_that_many_uses_read_is_waited_for_once) {
  std::vector<ComputeUse> uses;
  for (std::uint32_t binding = 0; binding < 8; ++binding)
    uses.push_back(read(data_, binding));
  for (const char* id : {"a", "b"}) {
    ASSERT_TRUE(graph_.add(Compute{.id = id, .wgsl = wgsl_with(0), .uses = uses}));
  }
  ASSERT_TRUE(graph_.add(Clear{.id = "c", .destination = data_}));
  const auto plan = graph_.compile({}).value();
  EXPECT_EQ(plan.nodes[2].after, (std::vector<std::uint32_t>{0, 1}));
}

TEST_F(ComputeTest, contract_V_3_an_empty_view_binds_a_word) {
  ASSERT_TRUE(add({write(part(1024, 0), 0)}));
  EXPECT_EQ(graph_.compile({}).value().dispatches[0].bindings,
            (std::vector<PlanBinding>{{0, 0, 768, 256}}));
}

TEST_F(ComputeTest, bindings_are_sorted_and_unique) {
  EXPECT_TRUE(add({write(other_, 1), write(data_, 0)}));
  Compute twice{.id = "t", .wgsl = wgsl_with(2), .uses = {write(other_, 1), write(data_, 1)}};
  expect_error(graph_.add(twice), ErrorCode::invalid_argument, "Node 't' binds 1 twice.");
  twice.uses = {write(other_, 1000)};
  EXPECT_FALSE(graph_.add(twice));
  twice.uses = {{other_, Use::vertex, 0}};
  EXPECT_FALSE(graph_.add(twice));
}

TEST_F(ComputeTest, launched_invocations_come_from_the_workgroup_size) {
  ASSERT_TRUE(
      graph_.add(Compute{.id = "k",
                         .wgsl = "const w = 4u; @compute @workgroup_size(w * 8, 2) fn f() {}",
                         .workgroups = {3, 2, 1}}));
  const auto plan = graph_.compile({}).value();
  EXPECT_EQ(plan.dispatches[0].workload.workgroups, 6u);
  EXPECT_EQ(plan.dispatches[0].workload.invocations, 6u * 64);
  EXPECT_EQ(plan.kernels[0].entry_point, "f");
}

TEST_F(ComputeTest, more_than_the_device_allows_is_refused_when_compiled) {
  ASSERT_TRUE(graph_.add(Compute{
      .id = "k", .wgsl = "@compute @workgroup_size(64) fn f() {}", .workgroups = {70000, 1, 1}}));
  expect_error(graph_.compile({}), ErrorCode::limit_exceeded,
               "Node 'k' asks for 70000 workgroups in one dimension, more than the device allows "
               "(65535, maxComputeWorkgroupsPerDimension).");
  Graph wide;
  ASSERT_TRUE(wide.add(Compute{.id = "k", .wgsl = "@compute @workgroup_size(32, 16) fn f() {}"}));
  expect_error(wide.compile({}), ErrorCode::limit_exceeded,
               "Node 'k' asks for 512 lanes a workgroup, more than the device allows (256, "
               "maxComputeInvocationsPerWorkgroup).");
}

TEST_F(ComputeTest, subgroups_are_refused_where_there_are_none) {
  const std::string wgsl = "enable subgroups; @compute @workgroup_size(64) fn f() {}";
  ASSERT_TRUE(graph_.add(Compute{.id = "k", .wgsl = wgsl}));
  EXPECT_FALSE(graph_.compile({}));
  DeviceProfile profile;
  profile.capabilities.subgroups = true;
  const auto plan = graph_.compile(profile);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->nodes[0].uses_subgroups);
}

TEST_F(ComputeTest, equal_kernels_are_one_kernel) {
  for (const char* id : {"a", "b", "c"}) {
    ASSERT_TRUE(graph_.add(Compute{.id = id, .wgsl = wgsl_with(1), .uses = {write(data_, 0)}}));
  }
  const auto plan = graph_.compile({}).value();
  EXPECT_EQ(plan.kernels.size(), 1u);
  EXPECT_EQ(plan.dispatches[2].label, "c");
  EXPECT_EQ(plan.passes.size(), 1u);
}

TEST_F(ComputeTest, case_G28_copies_part_compute_passes) {
  for (const char* id : {"a", "b"}) {
    ASSERT_TRUE(graph_.add(Compute{.id = id, .wgsl = wgsl_with(1), .uses = {write(data_, 0)}}));
  }
  ASSERT_TRUE(graph_.add(Copy{.id = "copy", .source = data_, .destination = other_}));
  ASSERT_TRUE(graph_.add(Compute{.id = "d", .wgsl = wgsl_with(1), .uses = {write(other_, 0)}}));
  const auto plan = graph_.compile({}).value();
  ASSERT_EQ(plan.passes.size(), 3u);
  EXPECT_EQ(plan.passes[0], PlanPass(PlanComputePass{0, 2}));
  EXPECT_EQ(plan.passes[1], PlanPass(PlanCopy{2, 0, 0, 1, 0, 1024}));
  EXPECT_EQ(plan.passes[2], PlanPass(PlanComputePass{2, 3}));
}

TEST_F(ComputeTest, copies_follow_the_chunks_of_both_sides) {
  const VectorView source({part(0, 8), part(64, 0), part(128, 16)});
  const DataView tail{.buffer = other_.buffer, .rows = 5, .byte_offset = 16};
  const DataView head{.buffer = other_.buffer, .rows = 1};
  ASSERT_TRUE(
      graph_.add(Copy{.id = "c", .source = source, .destination = VectorView({head, tail})}));
  const auto plan = graph_.compile({}).value();
  EXPECT_EQ(plan.passes,
            (std::vector<PlanPass>{PlanCopy{0, 0, 0, 1, 0, 4}, PlanCopy{0, 0, 4, 1, 16, 4},
                                   PlanCopy{0, 0, 128, 1, 20, 16}}));
}

TEST_F(ComputeTest, copies_that_cannot_be_are_refused) {
  expect_error(graph_.add(Copy{.id = "c", .source = part(0, 64), .destination = part(64, 64)}),
               ErrorCode::aliasing,
               "Copy 'c' reads and writes buffer 'data'; WebGPU copies between different buffers "
               "only.");
  expect_error(
      graph_.add(Copy{
          .id = "c", .source = data_, .destination = DataView{.buffer = other_.buffer, .rows = 1}}),
      ErrorCode::invalid_argument,
      "Destination of copy 'c' holds 1 rows, fewer than the source's 256.");
  DataView pairs = other_;
  pairs.rows /= 2;
  pairs.format = Format::uint64;
  EXPECT_FALSE(graph_.add(Copy{.id = "c", .source = pairs, .destination = data_}));
}

TEST_F(ComputeTest, external_work_keeps_its_uses) {
  ASSERT_TRUE(graph_.add(
      External{.id = "draw", .uses = {{part(0, 16), Use::indirect}, {other_, Use::vertex}}}));
  const auto plan = graph_.compile({}).value();
  EXPECT_EQ(plan.passes,
            (std::vector<PlanPass>{PlanExternal{
                0, {{0, 0, 16, kUsageIndirect, false}, {1, 0, 1024, kUsageVertex, false}}}}));
  EXPECT_EQ(plan.nodes[0].operation, "external");
}

TEST(SpansTest, case_F15) {
  const auto chunked = [](std::vector<std::uint64_t> rows) {
    VectorView view;
    for (std::size_t i = 0; i < rows.size(); ++i)
      view.chunks.push_back({.rows = rows[i], .byte_offset = 1000 * i});
    return view;
  };
  const VectorView a = chunked({2, 0, 4});
  const VectorView b = chunked({1, 3, 2});
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> offsets;
  for_each_span<2>({&a, &b}, [&](const auto& span) {
    rows.push_back(span[0].rows);
    offsets.push_back(span[0].byte_offset);
    offsets.push_back(span[1].byte_offset);
  });
  EXPECT_EQ(rows, (std::vector<std::uint64_t>{1, 1, 2, 2}));
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 0, 4, 1000, 2000, 1004, 2008, 2000}));
}

}  // namespace
}  // namespace wgprim::testing
