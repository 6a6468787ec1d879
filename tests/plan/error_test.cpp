// Messages stay short and readable, whatever names they repeat.
#include <gtest/gtest.h>

#include <string>

#include "wgprim/detail/text.hpp"
#include "wgprim/detail/utf8.hpp"
#include "wgprim/document.hpp"
#include "wgprim/result.hpp"

namespace wgprim::testing {
namespace {

std::string message(std::string text) {
  return fail(ErrorCode::internal, std::move(text)).error().message;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count)
    text.remove_prefix(std::max<std::size_t>(1, character_bytes(text)));
  return count;
}

TEST(ErrorTest, ordinary_sentences_stay_as_they_are) {
  const std::string name(100, 'n');
  const std::string prose =
      "Output 'offsets' holds 100 rows, fewer than the input's 128, and so on, for as long as "
      "there "
      "is something to say about it, which may well be more than a hundred characters, since it "
      "isn't a name, whatever quotes stand around it.";
  for (const std::string& text : {std::string(), prose, concat("Node '", name, "' is taken.")})
    EXPECT_EQ(message(text), text);
}

TEST(ErrorTest, long_names_are_cut_in_the_middle) {
  const std::string name = concat("begin", std::string(5'000'000, 'n'), "end");
  const std::string cut = message(concat("Node '", name, "' uses buffer '", name, "' twice."));
  EXPECT_TRUE(cut.starts_with("Node 'beginnnn"));
  EXPECT_NE(cut.find("nnn\u2026nnn"), std::string::npos);
  EXPECT_TRUE(cut.ends_with("nnnend' twice."));
  EXPECT_EQ(characters(cut), 2 * 100 + std::string("Node '' uses buffer '' twice.").size());
  EXPECT_EQ(message(concat("Graph 'g': ", cut)), concat("Graph 'g': ", cut)) << "Cut once.";
}

TEST(ErrorTest, characters_are_not_torn) {
  std::string name;
  for (int i = 0; i < 1000; ++i)
    name += "\xf0\x9f\x98\x80";
  const std::string cut = message(concat("Node '", name, "'."));
  EXPECT_FALSE(find_invalid_utf8(cut));
  EXPECT_EQ(characters(cut), 100 + std::string("Node ''.").size());
  EXPECT_EQ(characters(message(concat("'", std::string(1000, '\xff'), "'"))), 102u);
}

TEST(ErrorTest, names_with_quotes_and_lines_cannot_make_a_message_long) {
  for (const char* piece : {"a' ", "'", "' '", "\n", "(' \n'"}) {
    std::string name;
    while (name.size() < 100'000)
      name += piece;
    EXPECT_LE(characters(message(concat("Node '", name, "' is taken."))), 2000u) << piece;
  }
}

TEST(ErrorTest, documents_with_long_keys_and_ids_are_refused_in_short) {
  const std::string name(1'000'000, 'n');
  for (const std::string& body : {concat("\"", name, "\": 1"),
                                  concat(R"("buffers": [{"id": ")", name,
                                         R"(", "bytes": 4}, {"id": ")", name, R"(", "bytes": 4}])"),
                                  concat(R"("nodes": [{"op": ")", name, R"("}])")}) {
    const auto graph = graph_from_json(concat(R"({"wgprim_graph": 1, )", body, "}"));
    ASSERT_FALSE(graph);
    EXPECT_LT(graph.error().message.size(), 400u) << graph.error().message;
  }
}

}  // namespace
}  // namespace wgprim::testing
