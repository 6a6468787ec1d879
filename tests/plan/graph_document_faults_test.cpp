// Graph files that are refused: the sentence names the key and its place.
#include <gtest/gtest.h>

#include "support/graph_documents.hpp"

namespace wgprim::testing {
namespace {

constexpr const char* kScan = R"("op": "scan", "id": "s", "input": "a", "output": "b")";
constexpr const char* kReduce = R"("op": "reduce", "id": "r", "input": "a", "output": "b")";
constexpr const char* kCompute = R"("op": "compute", "id": "k", "wgsl": "fn", "uses": [])";

std::string scan_with(std::string_view keys) { return nodes_file(concat("{", kScan, keys, "}")); }

TEST(GraphDocumentFaultsTest, a_document_is_an_object_of_this_format) {
  expect_refused("", "The document is not valid JSON (line 1, column 1).");
  expect_refused("{}", "'wgprim_graph' is missing.");
  expect_refused("[]", "The document is not an object.");
  expect_refused("7", "The document is not an object.");
  expect_refused(R"({"wgprim_graph": 2})", "'wgprim_graph' is 2; this version reads format 1.");
  expect_refused(R"({"wgprim_graph": "one"})",
                 "'wgprim_graph' is not a whole number from 0 to 18446744073709551615.");
  expect_refused(R"({"wgprim_graph": "1"})",
                 "'wgprim_graph' is not a whole number from 0 to 18446744073709551615.");
  expect_refused("\xEF\xBB\xBF{}",
                 "The document starts with a byte order mark, which JSON does not have.");
  expect_refused("{\"wgprim_graph\": 1,\n \"id\": NaN}",
                 "The document is not valid JSON (line 2, column 8).");
  expect_refused(R"({"wgprim_graph": 1} {})",
                 "The document is not valid JSON (line 1, column 21).");
  expect_refused("{\"id\": \"\xFF\"}", "The document is not valid JSON (line 1, column 9).");
}

TEST(GraphDocumentFaultsTest, an_unknown_key_is_named_with_its_place) {
  const std::string known = "is not a key that is known there.";
  expect_refused(R"({"wgprim_graph": 1, "node": []})", concat("'node' ", known));
  expect_refused(graph_file(R"({"id": "a", "bytes": 4, "role": 1})"),
                 concat("'buffers[0].role' ", known));
  expect_refused(nodes_file("", R"({"id": "v", "chunks": [{"buffer": "a", "id": "c"}]})"),
                 concat("'views[0].chunks[0].id' ", known));
  expect_refused(scan_with(R"(, "wgsl": "x")"), concat("'nodes[0].wgsl' ", known));
  expect_refused(scan_with(R"(, "condition": {"parameter": "p", "value": true})"),
                 concat("'nodes[0].condition.value' ", known));
}

TEST(GraphDocumentFaultsTest, a_missing_key_is_named_with_its_place) {
  expect_refused(graph_file(R"({"bytes": 4})"), "'buffers[0].id' is missing.");
  expect_refused(graph_file(R"({"id": "a"})"), "'buffers[0].bytes' is missing.");
  expect_refused(nodes_file("", R"({"id": "v"})"), "'views[0].buffer' is missing.");
  expect_refused(nodes_file("{}"), "'nodes[0].op' is missing.");
  expect_refused(nodes_file(R"({"op": "scan", "id": "s", "input": "a"})"),
                 "'nodes[0].output' is missing.");
  expect_refused(nodes_file(R"({"op": "compute", "id": "k", "uses": []})"),
                 "'nodes[0].wgsl' is missing.");
  expect_refused(scan_with(R"(, "condition": {})"), "'nodes[0].condition.parameter' is missing.");
}

TEST(GraphDocumentFaultsTest, a_repeated_key_is_named_with_its_place) {
  expect_refused(R"({"wgprim_graph": 1, "id": "a", "id": "b"})", "'id' is given twice.");
  expect_refused(nodes_file(R"({"op": "scan", "id": "s", "input": "a", "input": "b"})"),
                 "'nodes[0].input' is given twice.");
  std::string many = R"({"wgprim_graph": 1)";
  for (int i = 0; i < 100; ++i)
    many += concat(", \"k", i, "\": 0");
  expect_refused(many + ", \"k3\": 0}", "'k3' is given twice.");
}

TEST(GraphDocumentFaultsTest, numbers_are_whole_and_in_range) {
  for (const char* value : {"-1", "1.5", "8.0", "18446744073709551616", "1e3", "true", "null",
                            "\"\"", "\"-1\"", "\"08\"", "\"8 \"", "\"18446744073709551616\""}) {
    expect_refused(graph_file(concat(R"({"id": "a", "bytes": )", value, "}")),
                   "'buffers[0].bytes' is not a whole number from 0 to 18446744073709551615.");
  }
  expect_refused(graph_file(R"({"id": "a", "bytes": 1e999})"),
                 "The document is not valid JSON (line 1, column 58).");
  const std::string word = " is not a whole number from 0 to 4294967295.";
  for (const char* value : {"4294967296", "-1", "\"1\"", "1.0"}) {
    expect_refused(nodes_file(concat("{", kCompute, R"(, "workgroups": [1, )", value, ", 1]}")),
                   concat("'nodes[0].workgroups[1]'", word));
    expect_refused(nodes_file(concat(R"({"op": "compute", "id": "k", "wgsl": "", "uses": [)"
                                     R"({"view": "a", "access": "uniform", "binding": )",
                                     value, "}]}")),
                   concat("'nodes[0].uses[0].binding'", word));
  }
  expect_refused(nodes_file(concat("{", kCompute, R"(, "workgroups": [1, 1]})")),
                 "'nodes[0].workgroups' is not a list of three numbers.");
}

TEST(GraphDocumentFaultsTest, a_wrong_type_is_named_with_its_place) {
  expect_refused(R"({"wgprim_graph": 1, "id": 7})", "'id' is not a text.");
  expect_refused(R"({"wgprim_graph": 1, "nodes": {}})", "'nodes' is not a list.");
  expect_refused(R"({"wgprim_graph": 1, "nodes": [[]]})", "'nodes[0]' is not an object.");
  expect_refused(graph_file(R"({"id": "a", "bytes": 4, "transient": 1})"),
                 "'buffers[0].transient' is not true or false.");
  expect_refused(scan_with(R"(, "depends_on": "s")"), "'nodes[0].depends_on' is not a list.");
  expect_refused(scan_with(R"(, "depends_on": ["s", 1])"),
                 "'nodes[0].depends_on[1]' is not a text.");
  expect_refused(scan_with(R"(, "condition": true)"), "'nodes[0].condition' is not an object.");
  expect_refused(nodes_file(concat("{", kScan, R"(, "row_count": 5})")),
                 "'nodes[0].row_count' is not a text.");
}

TEST(GraphDocumentFaultsTest, a_word_that_is_not_known_is_named_with_its_place) {
  const std::string known = "', which is not known there.";
  expect_refused(nodes_file(R"({"op": "sort"})"), concat("'nodes[0].op' is 'sort", known));
  expect_refused(scan_with(R"(, "mode": "both")"), concat("'nodes[0].mode' is 'both", known));
  expect_refused(scan_with(R"(, "path": "fast")"), concat("'nodes[0].path' is 'fast", known));
  expect_refused(scan_with(R"(, "subgroups": "yes")"),
                 concat("'nodes[0].subgroups' is 'yes", known));
  expect_refused(graph_file(R"({"id": "a", "bytes": 4, "usage": ["map-read"]})"),
                 concat("'buffers[0].usage' is 'map-read", known));
  expect_refused(nodes_file("", R"({"id": "v", "buffer": "a", "format": "f16"})"),
                 concat("'views[0].format' is 'f16", known));
  expect_refused(nodes_file(R"({"op": "compute", "id": "k", "wgsl": "", "uses": [
                     {"view": "a", "access": "indirect", "binding": 0}]})"),
                 concat("'nodes[0].uses[0].access' is 'indirect", known));
}

TEST(GraphDocumentFaultsTest, an_id_that_nothing_has_is_named_with_its_place) {
  expect_refused(nodes_file(R"({"op": "scan", "id": "s", "input": "none", "output": "b"})"),
                 "'nodes[0].input' names 'none', which is no view and no buffer.");
  expect_refused(nodes_file("", R"({"id": "v", "chunks": [{"buffer": "none"}]})"),
                 "'views[0].chunks[0].buffer' names 'none', which is not declared.");
  expect_refused(nodes_file("", R"({"id": "v", "buffer": "v"})"),
                 "'views[0].buffer' names 'v', which is not declared.");
}

TEST(GraphDocumentFaultsTest, what_other_versions_offer_is_unsupported) {
  const auto expect_unsupported = [](const std::string& text, const std::string& message) {
    expect_refused(text, ErrorCode::unsupported, message);
  };
  for (const char* op : {"compact", "partition", "unique", "run_lengths"}) {
    expect_unsupported(
        nodes_file(concat(R"({"op": ")", op, R"(", "input": "a"})")),
        concat("'nodes[0].op' is '", op, "', which is not offered by this version."));
  }
  for (const char* node : {kScan, kReduce}) {
    expect_unsupported(nodes_file(concat("{", node, R"(, "path": "single-pass"})")),
                       "'nodes[0].path' is 'single-pass', which is not offered by this version.");
  }
  expect_unsupported(nodes_file(R"({"op": "external", "id": "draw"})"),
                     "'nodes[0].op' is 'external', work that only a program can declare.");
}

TEST(GraphDocumentFaultsTest, contract_CO_2_only_compute_nodes_take_a_gpu_condition) {
  const std::string message =
      "'nodes[0].indirect' cannot stand there: only compute nodes take a GPU condition.";
  expect_refused(scan_with(R"(, "indirect": "a")"), message);
  expect_refused(nodes_file(R"({"op": "clear", "id": "c", "destination": "a", "indirect": "b"})"),
                 message);
  expect_refused(nodes_file(R"({"op": "copy", "id": "c", "source": "a", "destination": "b",
                                "indirect": "b"})"),
                 message);
  expect_refused(nodes_file(concat("{", kCompute, R"(, "byte_offset": 4})")),
                 "'nodes[0].byte_offset' needs 'indirect' beside it.");
}

TEST(GraphDocumentFaultsTest, contract_CO_1_a_condition_has_a_name) {
  expect_refused(scan_with(R"(, "condition": {"parameter": ""})"),
                 "'nodes[0].condition.parameter' is empty.");
}

TEST(GraphDocumentFaultsTest, keys_that_exclude_each_other_are_named) {
  for (const char* key : {"rows", "byte_offset", "byte_stride", "buffer"}) {
    expect_refused(nodes_file("", concat(R"({"id": "v", "chunks": [], ")", key, R"(": 0})")),
                   concat("'views[0].", key, "' cannot stand beside 'chunks'."));
  }
  expect_refused(
      nodes_file(R"({"op": "compute", "id": "k", "wgsl": "", "wgsl_file": "f", "uses": []})"),
      "'nodes[0].wgsl' cannot stand beside 'wgsl_file'.");
}

TEST(GraphDocumentFaultsTest, operands_of_one_chunk_take_no_longer_views) {
  expect_refused(nodes_file(concat("{", kScan, R"(, "row_count": "two"})"),
                            R"({"id": "two", "chunks": [{"buffer": "a"}, {"buffer": "b"}]})"),
                 ErrorCode::invalid_view,
                 "'nodes[0].row_count' names a view of 2 chunks, where one chunk is taken.");
}

TEST(GraphDocumentFaultsTest, faults_of_the_graph_are_led_by_their_place) {
  const auto expect_led = [](const std::string& text, ErrorCode code, std::string_view place) {
    const auto graph = graph_from_json(text);
    ASSERT_FALSE(graph) << place;
    EXPECT_STREQ(to_string(graph.error().code), to_string(code)) << graph.error().message;
    EXPECT_TRUE(graph.error().message.starts_with(concat("'", place, "': ")))
        << graph.error().message;
  };
  const std::string twice = R"({"id": "a", "bytes": 4}, {"id": "a", "bytes": 4})";
  expect_led(graph_file(twice), ErrorCode::invalid_graph, "buffers[1]");
  expect_led(graph_file(R"({"id": "", "bytes": 4})"), ErrorCode::invalid_graph, "buffers[0]");
  expect_led(graph_file(R"({"id": "t", "bytes": "18446744073709551615", "transient": true})"),
             ErrorCode::invalid_graph, "buffers[0]");
  expect_led(nodes_file("", R"({"id": "a", "buffer": "b"})"), ErrorCode::invalid_graph, "views[0]");
  expect_led(nodes_file("", R"({"id": "v", "buffer": "b"}, {"id": "v", "buffer": "a"})"),
             ErrorCode::invalid_graph, "views[1]");
  expect_led(nodes_file("", R"({"id": "v", "buffer": "b", "rows": 17})"), ErrorCode::invalid_view,
             "views[0]");
  expect_led(nodes_file("", R"({"id": "v", "buffer": "b", "byte_offset": 68})"),
             ErrorCode::invalid_view, "views[0]");
  const std::string scan = concat("{", kScan, "}");
  expect_led(nodes_file(concat(scan, ", ", scan)), ErrorCode::invalid_graph, "nodes[1]");
  expect_led(nodes_file(R"({"op": "scan", "id": "s", "input": "a", "output": "v"})",
                        R"({"id": "v", "buffer": "b", "rows": 3})"),
             ErrorCode::invalid_argument, "nodes[0]");
}

TEST(GraphDocumentFaultsTest, contract_H_1_a_cycle_is_found_when_the_graph_is_compiled) {
  auto graph = graph_from_json(
      nodes_file(R"({"op": "clear", "id": "x", "destination": "a", "depends_on": ["y"]},
                    {"op": "clear", "id": "y", "destination": "b", "depends_on": ["x"]})"));
  ASSERT_TRUE(graph) << graph.error().message;
  const auto plan = graph->compile({});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::invalid_graph);
  for (const char* id : {"'x'", "'y'"}) {
    EXPECT_NE(plan.error().message.find(id), std::string::npos) << plan.error().message;
  }
}

}  // namespace
}  // namespace wgprim::testing
