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

std::string times(std::size_t count, std::string_view text) {
  std::string all;
  all.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

Result<void> add_kernel(std::string_view body, std::string_view before = "") {
  Graph graph;
  return graph.add(Compute{
      .id = "k", .wgsl = concat(before, "@compute @workgroup_size(1) fn f() {\n", body, "}")});
}

/// naga takes each of these down when they are long; at `fits` all the tests' kernels run.
TEST(HostileDocumentTest, kernels_that_nest_too_deep_for_compilers_are_refused) {
  const struct {
    const char* before;
    const char* open;
    const char* close;
  } kTexts[] = {
      {"_ = ", "(", ")"},
      {"_ = ", "abs(", ")"},
      {"_ = ", "x[", "]"},
      {"var x: ", "array<", ">"},
      {"var x: ", "ptr<function, ", ">"},
      {"_ = 1", "+ 1", ""},
      {"_ = ", "!", ""},
      {"_ = ", "- ", ""},
      {"_ = ", "*&", ""},
      {"_ = x", ".x", ""},
      {"_ = x", "[0]", ""},
      {"if (a) {}", "else if (a) {}", ""},
      {"", "{", "}"},
      {"", "if (a) {", "}"},
  };
  for (const auto& [before, open, close] : kTexts) {
    SCOPED_TRACE(open);
    in_time([&] {
      const auto text = [&](std::size_t count) {
        return concat(before, times(count, open), times(count, close), ";");
      };
      EXPECT_TRUE(add_kernel(text(50)));
      EXPECT_TRUE(add_kernel(times(2'000, text(3))));
      const auto refused = add_kernel(text(20'000));
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().message,
                "Node 'k': The WGSL nests too deep in line 2: above 512, where an operator of an "
                "expression counts 1, a brace or else-if 3, any other bracket 6.");
    });
  }
}

TEST(HostileDocumentTest, long_tables_are_taken) {
  EXPECT_TRUE(
      add_kernel(concat("var t = array<f32, 9000>(", times(9'000, "-1.5 + x.y * (2.0), "), ");")));
  EXPECT_TRUE(add_kernel(times(9'000, "if (a < b && c > d) { x += y[i] * 2.5; }\n")));
}

TEST(HostileDocumentTest, declarations_that_refer_to_each_other_in_a_long_row_are_refused) {
  in_time([] {
    const auto refused = add_kernel("", times(20'000, "const c = 1;"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message,
              "Node 'k': The WGSL has 20001 declarations at module scope, more than 1024.");
  });
}

TEST(HostileDocumentTest, constants_are_worked_out_once) {
  in_time([] {
    std::string wgsl = "const c0 = 1;";
    for (int i = 1; i < 30; ++i)
      wgsl += concat("const c", i, " = c", i - 1, " * c", i - 1, ";");
    Graph graph;
    EXPECT_TRUE(
        graph.add(Compute{.id = "k", .wgsl = wgsl + "@compute @workgroup_size(c29) fn f() {}"}));
  });
  in_time([] { EXPECT_FALSE(add_kernel("", times(100'000, "const a="))); });
  in_time([] { EXPECT_FALSE(add_kernel("", times(100'000, "@id("))); });
  in_time([] { EXPECT_TRUE(add_kernel("", times(100'000, "enable ") + ";")); });
}

}  // namespace
}  // namespace wgprim::testing
