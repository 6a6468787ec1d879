// Graphs as JSON: what a file means, and that a graph comes back as it was.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "graph/graph_state.hpp"
#include "support/graph_documents.hpp"
#include "support/random_graph.hpp"

namespace wgprim::testing {
namespace {

Graph read(const std::string& text, const LoadText& load = {}) {
  auto graph = graph_from_json(text, load);
  if (!graph) throw std::runtime_error(graph.error().message);
  return std::move(*graph);
}

std::string plan_of(Graph graph) {
  const auto plan = graph.compile({});
  return plan ? to_json(*plan) : plan.error().message;
}

template <class Node>
const Node& node(const Graph& graph, std::size_t index) {
  return std::get<Node>(graph.state().nodes.at(index).operation);
}

VectorView view(const Graph& graph, std::string_view id) { return graph.find_view(id).value(); }

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What the contract's example asks of this version: its buffers and views, and a scan over them.
constexpr const char* kContractExample = R"(
  { "wgprim_graph": 1, "id": "select-orders",
    "buffers": [ {"id": "values", "bytes": 28}, {"id": "f0", "bytes": 16},
                 {"id": "f1", "bytes": 16}, {"id": "kept", "bytes": 28}, {"id": "n", "bytes": 4},
                 {"id": "sums", "bytes": 28, "transient": true} ],
    "views":   [ {"id": "flags", "chunks": [ {"buffer": "f0", "rows": 3, "byte_offset": 4},
                                             {"buffer": "f1", "rows": 4} ]},
                 {"id": "running", "buffer": "sums", "rows": 7} ],
    "nodes":   [ {"op": "scan", "id": "totals", "input": "values", "output": "running",
                  "mode": "inclusive"},
                 {"op": "copy", "id": "keep", "source": "running", "destination": "kept"} ] })";

TEST(GraphDocumentTest, contract_9_the_example_means_what_it_says) {
  const Graph graph = read(kContractExample);
  EXPECT_EQ(graph.id(), "select-orders");
  const Graph::State& state = graph.state();
  ASSERT_EQ(state.buffers.size(), 6u);
  EXPECT_EQ(state.buffers[0].id, "values");
  EXPECT_EQ(state.buffers[0].bytes, 28u);
  EXPECT_EQ(state.buffers[0].role, BufferRole::imported);
  EXPECT_EQ(state.buffers[5].role, BufferRole::transient);
  const VectorView flags = view(graph, "flags");
  ASSERT_EQ(flags.chunks.size(), 2u);
  EXPECT_EQ(flags.chunks[0],
            (DataView{.buffer = flags.chunks[0].buffer, .rows = 3, .byte_offset = 4}));
  EXPECT_EQ(flags.chunks[0].buffer.index, 1u);
  EXPECT_EQ(flags.chunks[1].buffer.index, 2u);
  const Scan& scan = node<Scan>(graph, 0);
  EXPECT_EQ(scan.id, "totals");
  EXPECT_EQ(scan.mode, ScanMode::inclusive);
  EXPECT_EQ(scan.path, Path::automatic);
  EXPECT_EQ(scan.input, view(graph, "values"));
  EXPECT_EQ(scan.input.chunks.at(0).rows, 7u);
  EXPECT_EQ(scan.output, view(graph, "running"));
  EXPECT_EQ(node<Copy>(graph, 1).destination, view(graph, "kept"));
}

constexpr const char* kEverything = R"({
  "wgprim_graph": 1,
  "buffers": [{"id": "in", "bytes": 1000, "usage": ["indirect", "copy-source"]},
              {"id": "out", "bytes": "1000"}, {"id": "n", "bytes": 8},
              {"id": "s", "bytes": 999, "transient": true}, {"id": "t", "bytes": 1000},
              {"id": "v", "bytes": 64, "usage": ["vertex", "index", "uniform"]}],
  "views": [{"id": "rows", "buffer": "n", "byte_offset": 4, "rows": 1},
            {"id": "empty", "chunks": []},
            {"id": "mixed", "format": "float32",
             "chunks": [{"buffer": "in", "rows": 0}, {"buffer": "out", "rows": 3},
                        {"buffer": "in", "byte_stride": 12, "byte_offset": "8", "rows": 4,
                         "format": "uint32x2"}]},
            {"id": "words", "format": "uint32x4", "buffer": "out"}],
  "nodes": [
    {"op": "copy", "id": "fetch", "source": "in", "destination": "s", "depends_on": ["zero"]},
    {"op": "scan", "id": "sum", "input": "s", "output": "out", "row_count": "rows",
     "path": "chained", "subgroups": "off", "condition": {"parameter": "wanted"}},
    {"op": "compute", "id": "own", "entry_point": "main",
     "wgsl": "@group(0) @binding(3) var<storage, read_write> t: array<u32>;\n@compute @workgroup_size(64) fn main() { t[0] = 1u; }",
     "uses": [{"view": "t", "access": "storage-read-write", "binding": 3}],
     "workgroups": [4, 2, 1], "indirect": "in", "byte_offset": 12},
    {"op": "clear", "id": "zero", "destination": "n"}]})";

TEST(GraphDocumentTest, contract_9_every_key_reaches_the_graph) {
  const Graph graph = read(kEverything);
  EXPECT_EQ(graph.state().buffers[0].usage, (std::vector{Use::indirect, Use::copy_source}));
  EXPECT_EQ(graph.state().buffers[1].bytes, 1000u);
  EXPECT_EQ(graph.state().buffers[3].bytes, 1000u);
  EXPECT_EQ(node<Copy>(graph, 0).depends_on, (std::vector<std::string>{"zero"}));
  const Scan& scan = node<Scan>(graph, 1);
  EXPECT_EQ(scan.row_count->byte_offset, 4u);
  EXPECT_EQ(scan.path, Path::chained);
  EXPECT_EQ(scan.subgroups, Subgroups::off);
  EXPECT_EQ(scan.mode, ScanMode::exclusive);
  EXPECT_EQ(scan.condition, "wanted");
  const Compute& compute = node<Compute>(graph, 2);
  EXPECT_EQ(compute.entry_point, "main");
  EXPECT_EQ(compute.uses.at(0).binding, 3u);
  EXPECT_EQ(compute.uses.at(0).access, Use::storage_read_write);
  EXPECT_EQ(compute.workgroups, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(compute.indirect->view.rows, 250u);
  EXPECT_EQ(compute.indirect->byte_offset, 12u);
  const VectorView mixed = view(graph, "mixed");
  EXPECT_EQ(mixed.chunks.at(1).format, Format::float32);
  EXPECT_EQ(mixed.chunks.at(2).format, Format::uint32x2);
  EXPECT_EQ(mixed.chunks.at(2).byte_stride, 12u);
  EXPECT_EQ(mixed.chunks.at(2).byte_offset, 8u);
}

TEST(GraphDocumentTest, contract_9_rows_reach_to_the_end_of_the_buffer) {
  struct RowsCase {
    const char* keys;
    std::uint64_t rows;
  };
  for (const auto& [keys, rows] :
       std::initializer_list<RowsCase>{{"", 16},
                                       {R"(, "byte_offset": 4)", 15},
                                       {R"(, "byte_offset": 64)", 0},
                                       {R"(, "format": "uint32x3")", 5},
                                       {R"(, "format": "uint64", "byte_offset": 60)", 0},
                                       {R"(, "byte_stride": 12)", 6},
                                       {R"(, "byte_stride": 12, "byte_offset": 4)", 5},
                                       {R"(, "byte_stride": 0)", 1}}) {
    const Graph graph = read(nodes_file("", concat(R"({"id": "v", "buffer": "b")", keys, "}")));
    EXPECT_EQ(view(graph, "v").chunks.at(0).rows, rows) << keys;
  }
}

TEST(GraphDocumentTest, contract_9_a_buffer_id_names_all_its_words) {
  const Graph graph = read(graph_file(R"({"id": "a", "bytes": 11})"));
  EXPECT_EQ(view(graph, "a").chunks.at(0).rows, 2u);
}

TEST(GraphDocumentTest, contract_G_1_transients_take_whole_words_and_one_at_least) {
  for (const auto& [bytes, taken] : {std::pair(0, 4), {1, 4}, {4, 4}, {5, 8}, {8, 8}}) {
    const Graph graph =
        read(graph_file(concat(R"({"id": "t", "transient": true, "bytes": )", bytes, "}")));
    EXPECT_EQ(graph.state().buffers[0].bytes, static_cast<std::uint64_t>(taken)) << bytes;
  }
}

/// Reading and writing again changes nothing, and both graphs have one plan.
void expect_fixed_point(Graph graph) {
  const std::string text = to_json(graph).value();
  const Graph again = read(text);
  EXPECT_EQ(to_json(again).value(), text);
  EXPECT_EQ(plan_of(std::move(graph)), plan_of(read(text))) << text;
}

TEST(GraphDocumentTest, a_graph_comes_back_as_it_was) {
  expect_fixed_point(read(kContractExample));
  expect_fixed_point(read(kEverything));
  expect_fixed_point(Graph("nothing in it"));
}

// That it also plans alike is asked in random_graph_test.cpp.
TEST(GraphDocumentTest, a_random_graph_comes_back_as_it_was) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = to_json(random_graph(seed, Externals::left_out).graph).value();
    EXPECT_EQ(to_json(read(text)).value(), text) << seed;
  }
}

TEST(GraphDocumentTest, what_was_named_keeps_its_name) {
  const std::string text = to_json(read(kContractExample)).value();
  EXPECT_NE(text.find(R"("input":"values","output":"running")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"({"id":"flags","chunks":[{"buffer":"f0","rows":3,"byte_offset":4},)"
                      R"({"buffer":"f1","rows":4}]})"),
            std::string::npos)
      << text;
}

TEST(GraphDocumentTest, views_without_a_name_get_one_that_clashes_with_nothing) {
  Graph graph;
  const BufferId data = graph.import_buffer({.id = "data", .bytes = 64}).value();
  ASSERT_TRUE(graph.import_buffer({.id = "sum.input", .bytes = 64}));
  const DataView front{.buffer = data, .rows = 4};
  const DataView back{.buffer = data, .rows = 4, .byte_offset = 32};
  ASSERT_TRUE(graph.name_view("sum.input2", DataView{.buffer = data, .rows = 2}));
  ASSERT_TRUE(graph.add(Scan{.id = "sum", .input = front, .output = back}));
  ASSERT_TRUE(graph.add(Scan{.id = "again", .input = back, .output = front}));
  const std::string text = to_json(graph).value();
  EXPECT_NE(text.find(R"("id":"sum","input":"sum.input3","output":"sum.output")"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("id":"again","input":"sum.output","output":"sum.input3")"),
            std::string::npos)
      << text;
  expect_fixed_point(std::move(graph));
}

TEST(GraphDocumentTest, numbers_above_2_to_the_53_are_written_as_texts) {
  Graph graph;
  ASSERT_TRUE(graph.import_buffer({.id = "small", .bytes = std::uint64_t{1} << 53}));
  ASSERT_TRUE(graph.import_buffer({.id = "large", .bytes = (std::uint64_t{1} << 53) + 1}));
  const std::string text = to_json(graph).value();
  EXPECT_NE(text.find(R"("bytes":9007199254740992})"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("bytes":"9007199254740993"})"), std::string::npos) << text;
  EXPECT_EQ(read(text).state().buffers[1].bytes, 9007199254740993u);
}

TEST(GraphDocumentTest, external_work_is_no_part_of_a_document) {
  Graph graph;
  const BufferId data = graph.import_buffer({.id = "data", .bytes = 64}).value();
  ASSERT_TRUE(graph.add(
      External{.id = "draw", .uses = {{.view = {.buffer = data, .rows = 4}, .use = Use::vertex}}}));
  const auto text = to_json(graph);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::unsupported);
  EXPECT_EQ(text.error().message, "Node 'draw' is external work, which no document can hold.");
}

TEST(GraphDocumentTest, wgsl_files_come_from_the_caller) {
  const std::string text = nodes_file(
      R"({"op": "compute", "id": "own", "wgsl_file": "own.wgsl", "uses": [
          {"view": "a", "access": "storage-write", "binding": 0}]})");
  const std::string wgsl =
      "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
      "@compute @workgroup_size(1) fn main() { a[0] = 1u; }\n";
  std::string asked;
  const Graph graph = read(text, [&](std::string_view path) -> Result<std::string> {
    asked = path;
    return wgsl;
  });
  EXPECT_EQ(asked, "own.wgsl");
  EXPECT_EQ(node<Compute>(graph, 0).wgsl, wgsl);
  const auto failed = graph_from_json(text, [](std::string_view path) -> Result<std::string> {
    return fail(ErrorCode::io, concat("File '", path, "' does not exist."));
  });
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::io);
  EXPECT_EQ(failed.error().message, "'nodes[0].wgsl_file': File 'own.wgsl' does not exist.");
  expect_refused(text, "'nodes[0].wgsl_file' names a file, and none can be read here.");
}

TEST(GraphDocumentTest, a_wgsl_file_is_loaded_once_and_what_nodes_load_is_bounded) {
  std::string nodes;
  for (int i = 0; i < 5; ++i) {
    nodes += concat(i == 0 ? "" : ", ", R"({"op": "compute", "id": "n)", i,
                    R"(", "wgsl_file": "big.wgsl", "entry_point": "main", "uses": []})");
  }
  int loads = 0;
  const auto read_with = [&](std::uint64_t bytes) {
    return graph_from_json(nodes_file(nodes), [&](std::string_view) -> Result<std::string> {
      ++loads;
      return concat("@compute @workgroup_size(1) fn main() {}", std::string(bytes, '\n'));
    });
  };
  EXPECT_TRUE(read_with(1000));
  EXPECT_EQ(loads, 1);
  const auto refused = read_with((std::uint64_t{64} << 20) - 40);
  EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(refused.error().message,
            "'nodes[4].wgsl_file' brings the texts that all nodes load to 335544320 bytes, above "
            "their limit (268435456).");
  const auto none =
      graph_from_json(nodes_file(R"({"op": "compute", "id": "own", "wgsl_file": "-", "uses": []})"),
                      [](std::string_view) -> Result<std::string> { return std::string(); });
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "'nodes[0].wgsl_file' is '-', which stands for no file in a graph.");
}

TEST(GraphDocumentTest, every_example_is_read_and_comes_back) {
  const std::filesystem::path folder = std::filesystem::path(WGPRIM_SOURCE_DIR) / "examples/graphs";
  const LoadText load = [&](std::string_view path) -> Result<std::string> {
    return text_of_file(folder / path);
  };
  int graphs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json" || entry.path().stem() == "cases") continue;
    SCOPED_TRACE(entry.path().filename());
    Graph graph = read(text_of_file(entry.path()), load);
    EXPECT_TRUE(read(text_of_file(entry.path()), load).compile({}));
    expect_fixed_point(std::move(graph));
    ++graphs;
  }
  EXPECT_GE(graphs, 9);
}

}  // namespace
}  // namespace wgprim::testing
