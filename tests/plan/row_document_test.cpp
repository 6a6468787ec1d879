// What graph files say of rows: operators, start values, carries, formats, reductions. Each comes
// back as it was, and what is no value of a row's format is refused with its place.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "document/json.hpp"
#include "document/json_writer.hpp"
#include "document/row_value.hpp"
#include "graph/graph_state.hpp"
#include "support/graph_documents.hpp"
#include "support/kernel_operator.hpp"

namespace wgprim::testing {
namespace {

std::string text_of(const RowValue& value) {
  std::string text;
  append_row_value(text, value);
  return text;
}

void expect_round_trip(const RowValue& value, const std::string& text) {
  EXPECT_EQ(text_of(value), text);
  const auto read = read_row_value(parse_json(text).value(), value.format);
  ASSERT_TRUE(read) << text;
  EXPECT_EQ(*read, value) << text;
}

TEST(RowValueTest, values_come_back_as_they_were) {
  expect_round_trip(0u, "0");
  expect_round_trip(0xffffffffu, "4294967295");
  expect_round_trip(-5, "-5");
  expect_round_trip(std::numeric_limits<std::int32_t>::min(), "-2147483648");
  expect_round_trip(std::uint64_t{0xffffffffffffffff}, "\"18446744073709551615\"");
  expect_round_trip(RowValue(Format::int64, {0, 0x80000000}), "\"-9223372036854775808\"");
  expect_round_trip(RowValue(Format::int64, {0xffffffff, 0xffffffff}), "\"-1\"");
  expect_round_trip(0.5f, "0.5");
  expect_round_trip(0.0f, "0");
  expect_round_trip(-0.0f, "-0.0");
  expect_round_trip(1e-45f, "1e-45");
  expect_round_trip(3.4028235e38f, "3.4028235e+38");
  expect_round_trip(std::numeric_limits<float>::infinity(), "\"inf\"");
  expect_round_trip(-std::numeric_limits<float>::infinity(), "\"-inf\"");
  expect_round_trip(RowValue(Format::uint32x3, {1, 2, 0xffffffff}), "[1,2,4294967295]");
}

TEST(RowValueTest, nan_comes_back_as_some_nan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(text_of(nan), "\"nan\"");
  const auto read = read_row_value(parse_json("\"nan\"").value(), Format::float32);
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(read.value().words[0])));
}

TEST(RowValueTest, numbers_of_64_bits_may_be_numbers) {
  EXPECT_EQ(read_row_value(parse_json("12").value(), Format::uint64), std::uint64_t{12});
  EXPECT_EQ(read_row_value(parse_json("-12").value(), Format::int64),
            RowValue(Format::int64, {0xfffffff4, 0xffffffff}));
  EXPECT_EQ(read_row_value(parse_json("\"7\"").value(), Format::uint32), 7u);
}

TEST(RowValueTest, what_is_no_value_of_the_format_is_none) {
  const std::pair<const char*, Format> refused[] = {{"-1", Format::uint32},
                                                    {"4294967296", Format::uint32},
                                                    {"1.5", Format::uint32},
                                                    {"\"\"", Format::uint32},
                                                    {"\"-\"", Format::int32},
                                                    {"2147483648", Format::int32},
                                                    {"-2147483649", Format::int32},
                                                    {"1e39", Format::float32},
                                                    {"\"NaN\"", Format::float32},
                                                    {"\"1.5\"", Format::float32},
                                                    {"true", Format::float32},
                                                    {"\"18446744073709551616\"", Format::uint64},
                                                    {"-1", Format::uint64},
                                                    {"\"9223372036854775808\"", Format::int64},
                                                    {"\"-9223372036854775809\"", Format::int64},
                                                    {"[1]", Format::uint32x2},
                                                    {"[1, 2, 3]", Format::uint32x2},
                                                    {"[1, -2]", Format::uint32x2},
                                                    {"12", Format::uint32x2},
                                                    {"null", Format::uint32}};
  for (const auto& [text, format] : refused) {
    EXPECT_FALSE(read_row_value(parse_json(text).value(), format))
        << text << " as " << to_string(format);
  }
}

Graph graph_of(const std::string& text) {
  auto graph = graph_from_json(text);
  if (!graph) throw std::runtime_error(graph.error().message);
  return std::move(*graph);
}

/// The one node of a graph file with 'a', 'b' and a few views.
template <class Node>
Node node_of(const std::string& keys) {
  const Graph graph =
      graph_of(nodes_file(keys, R"({"id": "floats", "buffer": "a", "format": "float32", "rows": 4},
               {"id": "longs", "buffer": "a", "format": "int64", "rows": 4},
               {"id": "one", "buffer": "b", "rows": 1},
               {"id": "out", "buffer": "b", "byte_offset": 16, "rows": 8},
               {"id": "long", "buffer": "b", "format": "int64", "rows": 1})"));
  return std::get<Node>(graph.state().nodes.at(0).operation);
}

TEST(RowDocumentTest, every_key_of_a_scan_reaches_the_graph) {
  const Scan scan = node_of<Scan>(
      R"({"op": "scan", "id": "s", "input": "longs", "output": "longs", "operator": "max",
          "reverse": true, "init": "-9223372036854775808", "path": "reduce-then-scan",
          "segment_flags": "b", "deterministic": true, "mode": "inclusive"})");
  EXPECT_EQ(scan.op.kind, OperatorKind::max);
  EXPECT_TRUE(scan.is_reverse);
  EXPECT_EQ(scan.init, RowValue(Format::int64, {0, 0x80000000}));
  EXPECT_EQ(scan.path, Path::reduce_then_scan);
  EXPECT_EQ(scan.segment_flags->chunks.at(0).rows, 16u);
  EXPECT_TRUE(scan.is_deterministic);
  const Scan carried =
      node_of<Scan>(R"({"op": "scan", "id": "s", "input": "a", "output": "a", "carry_in": "one"})");
  EXPECT_EQ(carried.carry_in->rows, 1u);
  const Scan going_on = node_of<Scan>(
      R"({"op": "scan", "id": "s", "input": "a", "output": "a", "segment_flags": "b",
          "carry_in": "one", "segment_init": 7})");
  EXPECT_EQ(going_on.segment_init, RowValue(7u));
  const Scan total = node_of<Scan>(
      R"({"op": "scan", "id": "s", "input": "a", "output": "a", "carry_out": "one"})");
  EXPECT_EQ(total.carry_out->rows, 1u);
}

TEST(RowDocumentTest, a_custom_operator_is_an_object) {
  const Scan scan = node_of<Scan>(
      R"({"op": "scan", "id": "s", "input": "a", "output": "a",
          "operator": {"wgsl": "fn identity() -> Element { return 0u; } fn combine(a: Element, b: Element) -> Element { return b; }", "words": 1}})");
  EXPECT_EQ(scan.op.kind, OperatorKind::custom);
  EXPECT_EQ(scan.op.words, 1u);
  EXPECT_TRUE(scan.op.wgsl.ends_with("{ return b; }"));
}

TEST(RowDocumentTest, contract_U_1_every_key_of_a_split_scan_reaches_the_graph_and_comes_back) {
  const std::string node =
      R"({"op": "scan_u64", "id": "s", "input_low": "a", "input_high": "a", "output_low": "b",
          "output_high": "c", "mode": "inclusive", "path": "chained", "subgroups": "off",
          "row_count": "n", "depends_on": [], "condition": {"parameter": "wanted"}})";
  const std::string buffers =
      R"({"id": "a", "bytes": 64}, {"id": "b", "bytes": 64}, {"id": "c", "bytes": 68},
         {"id": "n", "bytes": 4})";
  const Graph graph = graph_of(graph_file(buffers, "", node));
  const auto& scan = std::get<ScanU64>(graph.state().nodes.at(0).operation);
  EXPECT_EQ(scan.input_low.chunks.at(0).buffer.index, 0u);
  EXPECT_EQ(scan.input_high.chunks.at(0).buffer.index, 0u);
  EXPECT_EQ(scan.output_low.chunks.at(0).buffer.index, 1u);
  EXPECT_EQ(scan.output_high.chunks.at(0).buffer.index, 2u);
  EXPECT_EQ(scan.mode, ScanMode::inclusive);
  EXPECT_EQ(scan.path, Path::chained);
  EXPECT_EQ(scan.subgroups, Subgroups::off);
  EXPECT_EQ(scan.row_count->buffer.index, 3u);
  EXPECT_EQ(scan.condition, "wanted");
  const std::string text = to_json(graph).value();
  Graph again = graph_of(text);
  EXPECT_EQ(to_json(again).value(), text);
  EXPECT_EQ(again.compile({}).value().nodes[0].operation, "scan_u64");
  expect_refused(graph_file(buffers, "",
                            R"({"op": "scan_u64", "id": "s", "input_low": "a", "input_high": "a",
                                "output_low": "b", "output_high": "c", "deterministic": true})"),
                 "'nodes[0].deterministic' is not a key that is known there.");
  expect_refused(graph_file(buffers, "",
                            R"({"op": "scan_u64", "id": "s", "input_low": "a", "output_low": "b",
                                "output_high": "c"})"),
                 "'nodes[0].input_high' is missing.");
}

TEST(RowDocumentTest, every_key_of_a_reduction_reaches_the_graph) {
  const Reduce reduce = node_of<Reduce>(
      R"({"op": "reduce", "id": "r", "input": "longs", "output": "long", "operator": "min",
          "path": "chained", "subgroups": "off", "deterministic": true})");
  EXPECT_EQ(reduce.op.kind, OperatorKind::min);
  EXPECT_EQ(reduce.output.chunks[0].format, Format::int64);
  EXPECT_EQ(reduce.path, Path::chained);
  EXPECT_EQ(reduce.subgroups, Subgroups::off);
  EXPECT_TRUE(reduce.is_deterministic);
}

TEST(RowDocumentTest, graphs_come_back_as_they_were) {
  Graph graph;
  const auto rows_in = [&](const char* id, Format format, std::uint64_t rows) {
    const BufferId buffer = graph.import_buffer({id, rows * row_bytes(format)}).value();
    return DataView{.buffer = buffer, .rows = rows, .format = format};
  };
  const DataView records = rows_in("records", Format::uint32x4, 10);
  const DataView floats = rows_in("floats", Format::float32, 7);
  const DataView flags = rows_in("flags", Format::int32, 10);
  const DataView last = rows_in("last", Format::uint32x4, 1);
  const DataView first = rows_in("first", Format::float32, 1);
  const DataView total = rows_in("total", Format::float32, 1);
  const DataView count = rows_in("count", Format::uint32, 1);
  ASSERT_TRUE(graph.add(Scan{.id = "products",
                             .input = records,
                             .output = records,
                             .op = custom_operators()[3].description(),
                             .segment_flags = flags,
                             .is_reverse = true,
                             .init = RowValue(Format::uint32x4, {1, 2, 3, 4}),
                             .carry_out = last,
                             .path = Path::chained,
                             .is_deterministic = true}));
  ASSERT_TRUE(graph.add(Scan{.id = "sums",
                             .input = floats,
                             .output = floats,
                             .op = {OperatorKind::min},
                             .carry_in = first}));
  ASSERT_TRUE(graph.add(Reduce{.id = "least",
                               .input = floats,
                               .output = total,
                               .op = {OperatorKind::max},
                               .row_count = count}));
  const auto text = to_json(graph);
  ASSERT_TRUE(text) << text.error().message;
  Graph again = graph_of(*text);
  EXPECT_EQ(to_json(again).value(), *text);
  EXPECT_EQ(again.compile({}).value(), graph.compile({}).value());
}

TEST(RowDocumentTest, a_value_of_another_format_with_the_same_bits_is_written_as_the_rows_are) {
  Graph graph;
  const BufferId buffer = graph.import_buffer({"data", 40}).value();
  const DataView rows{.buffer = buffer, .rows = 10};
  ASSERT_TRUE(graph.add(Scan{.id = "s", .input = rows, .output = rows, .init = -1}));
  const auto text = to_json(graph);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_TRUE(text->contains("4294967295")) << *text;
  Graph again = graph_of(*text);
  EXPECT_EQ(again.compile({}).value(), graph.compile({}).value());
}

TEST(RowDocumentTest, what_is_no_operator_or_value_is_refused_with_its_place) {
  const auto scan_with = [](std::string_view keys) {
    return nodes_file(
        concat(R"({"op": "scan", "id": "s", "input": "a", "output": "b", )", keys, "}"));
  };
  expect_refused(scan_with(R"("operator": "product")"),
                 "'nodes[0].operator' is 'product', which is not known there.");
  expect_refused(scan_with(R"("operator": {"wgsl": ""})"), "'nodes[0].operator.words' is missing.");
  expect_refused(scan_with(R"("operator": {"wgsl": "", "words": 1, "id": ""})"),
                 "'nodes[0].operator.id' is not a key that is known there.");
  expect_refused(scan_with(R"("operator": 0)"), "'nodes[0].operator' is not a text.");
  expect_refused(scan_with(R"("reverse": 0)"), "'nodes[0].reverse' is not true or false.");
  expect_refused(scan_with(R"("carry_in": 0)"), "'nodes[0].carry_in' is not a text.");
  expect_refused(scan_with(R"("deterministic": "no")"),
                 "'nodes[0].deterministic' is not true or false.");
  expect_refused(scan_with(R"("init": -1)"), "'nodes[0].init' is no value of a uint32 row.");
}

}  // namespace
}  // namespace wgprim::testing
