// Cases of the command graph on the device, from Graph::add to the words in memory.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "native/executable_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/graphs.hpp"
#include "support/log_plans.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t kRows = 16;

/// One lane that adds 1 to each row of binding 1 for every nonzero row of binding 0.
const char* const kAccumulate = R"(@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> total: array<u32>;
@compute @workgroup_size(16) fn accumulate(@builtin(local_invocation_index) i: u32) {
  total[i] += source[i];
}
)";

const char* const kReadTwo = R"(@group(0) @binding(0) var<storage, read> left: array<u32>;
@group(0) @binding(1) var<storage, read> right: array<u32>;
@group(0) @binding(2) var<storage, read_write> sum: array<u32>;
@compute @workgroup_size(16) fn add_two(@builtin(local_invocation_index) i: u32) {
  sum[i] = left[i] + right[i];
}
)";

const char* const kCountGroups = R"(@group(0) @binding(0) var<storage, read_write> ran: array<u32>;
@compute @workgroup_size(1) fn count_groups(@builtin(workgroup_id) group: vec3<u32>) {
  ran[group.x] += 1u;
}
)";

class GraphCases : public GpuTest {
 protected:
  Executable compile(Graph& graph) {
    return must(Executable::create(device(), must(graph.compile(must(device().profile())))));
  }
  Buffer rows(std::uint32_t value) {
    return make_buffer(device(), Words(kRows, value),
                       kUsageStorage | kUsageCopySource | kUsageCopyDestination | kUsageIndirect);
  }
  std::optional<Error> refusal_of(Executable& executable, const std::vector<Import>& imports) {
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const auto encoded = executable.encode(encoder.get(), {.imports = imports});
    return encoded ? std::optional<Error>() : encoded.error();
  }
};

/// "sum" = "left" + "right", element by element.
void add_two(Graph& graph) {
  must(graph.add(Compute{.id = "add",
                         .wgsl = kReadTwo,
                         .uses = {{.view = imported(graph, "left", 4 * kRows), .binding = 0},
                                  {.view = imported(graph, "right", 4 * kRows), .binding = 1},
                                  {.view = imported(graph, "sum", 4 * kRows),
                                   .access = Use::storage_write,
                                   .binding = 2}}}));
}

TEST_F(GraphCases, case_G13_G14_OneBufferBehindTwoImports) {
  Graph graph;
  add_two(graph);
  Executable executable = compile(graph);
  Buffer in = rows(3), sum = rows(77);
  const auto written = refusal_of(executable, {{"left", &in}, {"right", &sum}, {"sum", &sum}});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->code, ErrorCode::aliasing);
  run_once(device(), executable, {{{"left", &in}, {"right", &in}, {"sum", &sum}}});
  EXPECT_EQ(read_words(device(), sum, kRows), Words(kRows, 6));
}

TEST_F(GraphCases, case_G23_NothingOrTooLittleBehindAnImport) {
  Graph graph;
  add_two(graph);
  Executable executable = compile(graph);
  const Buffer in = rows(3), sum = rows(77);
  const Buffer word = must(device().create_buffer(4, kUsageStorage, "word"));
  const auto missing = refusal_of(executable, {{"left", &in}, {"sum", &sum}});
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->message, "Import 'right' is not given.");
  const auto small = refusal_of(executable, {{"left", &in}, {"right", &word}, {"sum", &sum}});
  ASSERT_TRUE(small);
  EXPECT_EQ(small->message, "Import 'right' holds 4 bytes, fewer than the plan's 64.");
}

TEST_F(GraphCases, case_G28_ComputeNodesInARowShareAPass) {
  Graph graph;
  const DataView source = imported(graph, "source", 4 * kRows);
  const DataView total = imported(graph, "total", 4 * kRows);
  const DataView copy = imported(graph, "copy", 4 * kRows);
  const auto add_compute = [&](const char* id) {
    must(graph.add(
        Compute{.id = id,
                .wgsl = kAccumulate,
                .uses = {{.view = source},
                         {.view = total, .access = Use::storage_read_write, .binding = 1}}}));
  };
  add_compute("first");
  add_compute("second");
  must(graph.add(Copy{.id = "aside", .source = total, .destination = copy}));
  add_compute("third");
  Executable executable = compile(graph);
  Buffer ones = rows(1), sum = rows(0), aside = rows(0);
  run_once(device(), executable, {{{"source", &ones}, {"total", &sum}, {"copy", &aside}}});
  EXPECT_EQ(executable.state()->compute_passes, 2u);
  EXPECT_EQ(read_words(device(), sum, kRows), Words(kRows, 3));
  EXPECT_EQ(read_words(device(), aside, kRows), Words(kRows, 2));
}

TEST_F(GraphCases, case_G32_AConditionFalseThenTrue) {
  Graph graph;
  const DataView source = imported(graph, "source", 4 * kRows);
  const DataView total = imported(graph, "total", 4 * kRows);
  must(graph.add(Copy{.id = "give", .source = source, .destination = total, .condition = "on"}));
  Executable executable = compile(graph);
  Buffer in = rows(5), out = rows(77);
  const Import imports[] = {{"source", &in}, {"total", &out}};
  const Parameter off[] = {{"on", false}}, on[] = {{"on", true}};
  run_once(device(), executable, imports, off);
  EXPECT_EQ(executable.outcomes()[0], Outcome::skipped);
  EXPECT_EQ(read_words(device(), out, kRows), Words(kRows, 77));
  run_once(device(), executable, imports, on);
  EXPECT_EQ(executable.outcomes()[0], Outcome::executed);
  EXPECT_EQ(read_words(device(), out, kRows), Words(kRows, 5));
}

TEST_F(GraphCases, case_G33_TheDeviceDecidesHowManyWorkgroupsRun) {
  constexpr std::uint32_t kAsked = 128;
  Graph graph;
  const DataView ran = imported(graph, "ran", 4 * kAsked);
  must(graph.add(Compute{
      .id = "count",
      .wgsl = kCountGroups,
      .uses = {{.view = ran, .access = Use::storage_read_write}},
      .workgroups = {kAsked, 1, 1},
      .indirect = IndirectWorkgroups{.view = imported(graph, "record", 16), .byte_offset = 4}}));
  Executable executable = compile(graph);
  const auto most = static_cast<std::uint32_t>(
      must(device().profile()).limits.max_compute_workgroups_per_dimension);
  for (const auto& [groups, runs] : {std::pair(3u, 3u), {0u, 0u}, {128u, 128u}, {most + 1, 0u}}) {
    const Buffer record =
        make_buffer(device(), Words{99, groups, 1, 1}, kUsageIndirect | kUsageCopyDestination);
    Buffer counts = make_buffer(device(), Words(kAsked, 0));
    run_once(device(), executable, {{{"ran", &counts}, {"record", &record}}});
    Words expected(kAsked, 0);
    std::fill_n(expected.begin(), runs, 1);
    EXPECT_EQ(read_words(device(), counts, kAsked), expected) << groups;
    EXPECT_EQ(executable.outcomes()[0], Outcome::gpu_resolved);
  }
}

/// Scenario A12: a run must not see the state of the one before.
TEST_F(GraphCases, scenario_A12_ScansInOneEncoderAreEachRight) {
  constexpr std::uint32_t kMany = 70'000;
  Graph graph;
  const DataView in = imported(graph, "in", 4 * kMany), out = imported(graph, "out", 4 * kMany);
  must(graph.add(Scan{.id = "sum", .input = in, .output = out, .mode = ScanMode::inclusive}));
  Executable executable = compile(graph);
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<Buffer> outputs;
    std::vector<Words> expected;
    const WGPUCommandEncoder encoder = make_encoder(device());
    for (std::uint32_t run = 0; run < 3; ++run) {
      Words values(kMany);
      std::iota(values.begin(), values.end(), 1000 * run);
      const Buffer input = make_buffer(device(), values);
      outputs.push_back(make_buffer(device(), Words(kMany, 77)));
      const Import imports[] = {{"in", &input}, {"out", &outputs.back()}};
      must(executable.encode(encoder, {.imports = imports}));
      std::inclusive_scan(values.begin(), values.end(), values.begin());
      expected.push_back(std::move(values));
    }
    must(device().submit_and_wait(encoder, 0));
    for (std::size_t run = 0; run < outputs.size(); ++run)
      EXPECT_EQ(read_words(device(), outputs[run], kMany), expected[run]);
  }
}

/// Scenario A13: operations recorded before one submit keep their parameters.
TEST_F(GraphCases, scenario_A13_ThreeExecutablesThreeCountsOneSubmit) {
  constexpr std::uint64_t kCounts[] = {100, 1000, 10};
  std::vector<Executable> executables;
  std::vector<Buffer> outs;
  const WGPUCommandEncoder encoder = make_encoder(device());
  for (const std::uint64_t count : kCounts) {
    executables.push_back(must(Executable::create(device(), counted_plan())));
    outs.push_back(make_buffer(device(), Words(kCountedRows, 77)));
    const Import imports[] = {{"out", &outs.back()}};
    const RowCount counts[] = {{"number", count}};
    must(executables.back().encode(encoder, {.imports = imports, .row_counts = counts}));
  }
  executables.clear();  // A14: they may go before the GPU has used them.
  must(device().submit_and_wait(encoder, 0));
  for (std::size_t i = 0; i < outs.size(); ++i)
    EXPECT_EQ(read_words(device(), outs[i], kCountedRows), counted_rows(kCounts[i], 77));
}

/// A condition that leaves a branch out, recorded step by step with the other one.
TEST_F(GraphCases, contract_B_1_AGraphInSteps) {
  Graph graph;
  const DataView source = imported(graph, "source", 4 * kRows);
  const DataView total = imported(graph, "total", 4 * kRows);
  must(graph.add(Clear{.id = "wipe", .destination = total}));
  for (const char* id : {"once", "twice"}) {
    must(graph.add(
        Compute{.id = id,
                .wgsl = kAccumulate,
                .uses = {{.view = source},
                         {.view = total, .access = Use::storage_read_write, .binding = 1}},
                .condition = id}));
  }
  Plan plan = must(graph.compile(must(device().profile())));
  plan.steps = {{0, 1}, {1, 2}, {2, 3}};
  Executable executable = must(Executable::create(device(), std::move(plan)));
  Buffer in = rows(4), out = rows(77);
  const Import imports[] = {{"source", &in}, {"total", &out}};
  const Parameter parameters[] = {{"once", true}, {"twice", false}};
  Execution execution = must(executable.begin({.imports = imports, .parameters = parameters}));
  const std::uint32_t expected[] = {0, 4, 4};
  for (const std::uint32_t value : expected) {
    const WGPUCommandEncoder encoder = make_encoder(device());
    must(execution.encode_next(encoder));
    must(device().submit_and_wait(encoder, 0));
    EXPECT_EQ(read_words(device(), out, kRows), Words(kRows, value));
  }
}

}  // namespace
}  // namespace wgprim::testing
