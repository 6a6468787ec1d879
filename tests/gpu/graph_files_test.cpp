// A graph from a file and the same graph from C++ are one graph: the same plan, byte for byte, and
// the same words from the device.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/gpu_fixture.hpp"
#include "support/graphs.hpp"
#include "wgprim/document.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint64_t kRows = 12;
const Words kValues = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};

std::string text_of(std::string_view file) {
  std::ifstream stream(std::filesystem::path(WGPRIM_SOURCE_DIR) / "examples/graphs" / file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Graph from_file(std::string_view file) {
  return must(graph_from_json(
      text_of(file), [](std::string_view name) -> Result<std::string> { return text_of(name); }));
}

ComputeUse reads(const DataView& view, std::uint32_t binding) {
  return {.view = view, .access = Use::storage_read, .binding = binding};
}
ComputeUse writes(const DataView& view, std::uint32_t binding) {
  return {.view = view, .access = Use::storage_write, .binding = binding};
}

Graph select_rows() {
  Graph graph("select-rows");
  const DataView values = imported(graph, "values", 4 * kRows);
  const DataView kept = imported(graph, "kept", 4 * kRows);
  const DataView count = imported(graph, "count", 4);
  const DataView flags = transient(graph, "flags", kRows);
  const DataView offsets = transient(graph, "offsets", kRows);
  must(graph.add(Compute{.id = "flag",
                         .wgsl = text_of("flag_even_rows.wgsl"),
                         .uses = {reads(values, 0), writes(flags, 1)}}));
  must(graph.add(Scan{.id = "place", .input = flags, .output = offsets}));
  must(graph.add(Compute{.id = "scatter",
                         .wgsl = text_of("scatter_flagged_rows.wgsl"),
                         .uses = {reads(values, 0), reads(flags, 1), reads(offsets, 2),
                                  writes(kept, 3), writes(count, 4)}}));
  return graph;
}

Graph branch() {
  Graph graph("branch");
  const DataView values = imported(graph, "values", 4 * kRows);
  const DataView result = imported(graph, "result", 4 * kRows);
  const DataView squares = transient(graph, "squares", kRows);
  const DataView sums = transient(graph, "sums", kRows);
  must(graph.add(Copy{.id = "keep", .source = values, .destination = result}));
  must(graph.add(Compute{.id = "square",
                         .wgsl = text_of("square_rows.wgsl"),
                         .uses = {reads(values, 0), writes(squares, 1)},
                         .condition = "energy"}));
  must(graph.add(Scan{.id = "accumulate",
                      .input = squares,
                      .output = sums,
                      .mode = ScanMode::inclusive,
                      .condition = "energy"}));
  must(graph.add(
      Copy{.id = "publish", .source = sums, .destination = result, .condition = "energy"}));
  return graph;
}

class GraphFiles : public GpuTest {
 protected:
  /// The words of the imports after a run; "values" holds kValues, the others zeros.
  std::vector<Words> run_of(Graph graph, std::span<const Parameter> parameters) {
    Executable executable =
        must(Executable::create(device(), must(graph.compile(must(device().profile())))));
    std::vector<Buffer> buffers;
    std::vector<Import> imports;
    buffers.reserve(executable.plan().buffers.size());
    for (const PlanBuffer& planned : executable.plan().buffers) {
      if (planned.role != BufferRole::imported) continue;
      buffers.push_back(
          make_buffer(device(), planned.id == "values" ? kValues : Words(planned.bytes / 4, 0)));
      imports.push_back({planned.id, &buffers.back()});
    }
    must(run(device(), executable, {.imports = imports, .parameters = parameters}));
    std::vector<Words> words;
    for (Buffer& buffer : buffers)
      words.push_back(read_words(device(), buffer, buffer.bytes() / 4 - kCanaryWords));
    return words;
  }

  std::string plan_of(Graph graph) {
    return to_json(must(graph.compile(must(device().profile()))));
  }
};

TEST_F(GraphFiles, contract_9_SelectionFromAFileAndFromCpp) {
  EXPECT_EQ(plan_of(from_file("select_rows.json")), plan_of(select_rows()));
  const auto words = run_of(from_file("select_rows.json"), {});
  EXPECT_EQ(words[1], (Words{4, 2, 6, 8, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(words[2], Words{4});
  EXPECT_EQ(run_of(select_rows(), {}), words);
}

TEST_F(GraphFiles, contract_9_ABranchFromAFileAndFromCpp) {
  EXPECT_EQ(plan_of(from_file("branch.json")), plan_of(branch()));
  for (const bool energy : {true, false}) {
    const Parameter parameters[] = {{"energy", energy}};
    const auto words = run_of(from_file("branch.json"), parameters);
    EXPECT_EQ(words[1],
              energy ? (Words{9, 10, 26, 27, 52, 133, 137, 173, 198, 207, 232, 296}) : kValues);
    EXPECT_EQ(run_of(branch(), parameters), words);
  }
}

}  // namespace
}  // namespace wgprim::testing
