// Graph files for tests: put together from their lists, and held to the sentence they are refused
// with.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim::testing {

/// A graph file of these items, each list as it stands between its brackets.
inline std::string graph_file(std::string_view buffers, std::string_view views = "",
                              std::string_view nodes = "") {
  return concat(R"({"wgprim_graph": 1, "buffers": [)", buffers, R"(], "views": [)", views,
                R"(], "nodes": [)", nodes, "]}");
}

/// Two imports of 64 bytes, "a" and "b", and these nodes.
inline std::string nodes_file(std::string_view nodes, std::string_view views = "") {
  return graph_file(R"({"id": "a", "bytes": 64}, {"id": "b", "bytes": 64})", views, nodes);
}

inline void expect_refused(const std::string& text, ErrorCode code, const std::string& message) {
  const auto graph = graph_from_json(text);
  ASSERT_FALSE(graph) << "expected: " << message;
  EXPECT_EQ(graph.error().message, message);
  EXPECT_STREQ(to_string(graph.error().code), to_string(code)) << message;
}

inline void expect_refused(const std::string& text, const std::string& message) {
  expect_refused(text, ErrorCode::invalid_file, message);
}

}  // namespace wgprim::testing
