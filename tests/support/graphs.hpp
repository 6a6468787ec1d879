// Small graphs for tests: buffers in a line, kernels that do next to nothing, expectations.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "wgprim/graph.hpp"

namespace wgprim::testing {

/// A buffer of the caller, whole, as uint32 rows.
DataView imported(Graph& graph, const std::string& id, std::uint64_t bytes);

/// Scratch, whole.
DataView transient(Graph& graph, const std::string& id, std::uint64_t rows);

/// An external node without uses: something to order.
External noop(const std::string& id, std::vector<std::string> depends_on = {});

/// A kernel of 64 lanes with `bindings` writable arrays of words, bound from 0 on.
std::string wgsl_with(std::size_t bindings);

/// Node ids as they run, with spaces between.
std::string order_of(const Plan& plan);
std::string order_of(Graph& graph);

/// Fails the test unless the result is this error.
template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const std::string& message) {
  ASSERT_FALSE(result) << "expected: " << message;
  EXPECT_STREQ(to_string(result.error().code), to_string(code));
  EXPECT_EQ(result.error().message, message);
}

}  // namespace wgprim::testing
