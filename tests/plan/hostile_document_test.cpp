// Graph files made to hurt: they end in an answer within bounded time and memory.
#include <gtest/gtest.h>

#include "support/graph_documents.hpp"
#include "support/time_limit.hpp"

namespace wgprim::testing {
namespace {

constexpr std::size_t kMillion = 1'000'000;

/// `count` items with their number in the place of '#'.
std::string repeated(std::string_view item, std::size_t count) {
  std::string text;
  text.reserve(count * (item.size() + 8));
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    for (const char c : item) {
      if (c == '#') {
        text += std::to_string(i);
      } else {
        text += c;
      }
    }
  }
  return text;
}

std::string long_view(std::size_t chunks) {
  return concat(R"({"id": "v", "chunks": [)", repeated(R"({"buffer":"a","rows":1})", chunks), "]}");
}

TEST(HostileDocumentTest, deep_nesting_ends_soon) {
  in_time([] {
    const std::string deep = "The JSON document nests deeper than 32 levels.";
    constexpr std::size_t kDepth = 100'000;
    expect_refused(std::string(kDepth, '['), deep);
    expect_refused(R"({"wgprim_graph": )" + std::string(kDepth, '['), deep);
    std::string objects;
    for (std::size_t i = 0; i < kDepth; ++i)
      objects += R"({"wgprim_graph":)";
    expect_refused(objects, deep);
  });
}

TEST(HostileDocumentTest, a_million_chunks_are_read) {
  in_time([] {
    const auto graph = graph_from_json(nodes_file("", long_view(kMillion)));
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_EQ(graph->find_view("v")->chunks.size(), kMillion);
  });
}

TEST(HostileDocumentTest, a_fault_behind_a_million_chunks_is_found) {
  in_time([] {
    std::string view = long_view(kMillion);
    view.insert(view.size() - 2, R"(,{"buffer":"none"})");
    expect_refused(nodes_file("", view),
                   "'views[0].chunks[1000000].buffer' names 'none', which is not declared.");
  });
}

TEST(HostileDocumentTest, a_long_view_named_again_and_again_does_not_fill_the_memory) {
  in_time([] {
    const std::string buffers = R"({"id": "a", "bytes": 20000}, {"id": "b", "bytes": 20000})";
    const std::string nodes =
        repeated(R"({"op":"copy","id":"c#","source":"v","destination":"b"})", 1'000);
    expect_refused(graph_file(buffers, long_view(5'000), nodes), ErrorCode::limit_exceeded,
                   "'nodes[838].source' brings the chunks of all operands to 4195838, above their "
                   "limit (4194304).");
  });
}

TEST(HostileDocumentTest, a_hundred_thousand_nodes_are_read_and_written) {
  in_time([] {
    const std::string nodes = repeated(
        R"({"op":"clear","id":"n#","destination":"a","condition":{"parameter":"p#"}})", 100'000);
    const auto graph = graph_from_json(nodes_file(nodes));
    ASSERT_TRUE(graph) << graph.error().message;
    const std::string text = to_json(*graph).value();
    EXPECT_EQ(to_json(graph_from_json(text).value()).value(), text);
  });
}

TEST(HostileDocumentTest, many_ids_and_many_keys_take_linear_time) {
  in_time([] {
    const std::string buffers = repeated(R"({"id":"b#","bytes":4})", 200'000);
    const auto graph = graph_from_json(graph_file(buffers));
    ASSERT_TRUE(graph) << graph.error().message;
  });
  in_time([] {
    expect_refused(concat(R"({"wgprim_graph": 1, )", repeated(R"("k#":0)", kMillion), "}"),
                   "'k0' is not a key that is known there.");
  });
  in_time([] {
    expect_refused(
        concat(R"({"wgprim_graph": 1, )", repeated(R"("k#":0)", kMillion), R"(, "k999999": 0})"),
        "'k999999' is given twice.");
  });
  in_time([] {  // Many small objects after a large one at the same depth.
    expect_refused(concat(R"({"x": [{)", repeated(R"("k#":0)", 200'000), "},",
                          repeated(R"({"a":0})", 200'000), "]}"),
                   "'wgprim_graph' is missing.");
  });
}

TEST(HostileDocumentTest, huge_texts_are_read) {
  in_time([] {
    const std::string id(std::size_t{1} << 24, 'x');
    const auto graph = graph_from_json(graph_file(concat(R"({"id": ")", id, R"(", "bytes": 4})")));
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_TRUE(graph->find_view(id));
  });
  in_time([] {
    expect_refused(graph_file(concat(R"({"id": "a", "bytes": )", std::string(kMillion, '9'), "}")),
                   "The document is not valid JSON (line 1, column 1000053).");
  });
}

}  // namespace
}  // namespace wgprim::testing
