// The shapes of large graphs; see the header.
#include "reference/large_graphs.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "wgprim/detail/text.hpp"

namespace wgprim::reference {
namespace {

constexpr const char* kFill = R"(@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) i: vec3u) {
  if (i.x < arrayLength(&data)) { data[i.x] = i.x; }
}
)";

constexpr const char* kTwice = R"(@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@compute @workgroup_size(64) fn twice(@builtin(global_invocation_id) i: vec3u) {
  if (i.x < min(arrayLength(&source), arrayLength(&result))) { result[i.x] = 2u * source[i.x]; }
}
)";

/// Adds nodes and transients until one is refused; the first error stays.
class Builder {
 public:
  DataView transient(std::uint32_t number) {
    const std::uint64_t rows = 300 + number * 37 % 1000;
    const auto declared = graph_.declare_transient({.id = concat("t", number), .rows = rows});
    if (!declared) {
      note(declared);
      return {};
    }
    return {.buffer = *declared, .rows = rows};
  }

  void fill(const DataView& data) {
    note(graph_.add(Compute{
        .id = next_id(), .wgsl = kFill, .uses = {{.view = data, .access = Use::storage_write}}}));
  }

  void twice(const DataView& source, const DataView& result) {
    note(graph_.add(
        Compute{.id = next_id(),
                .wgsl = kTwice,
                .uses = {{.view = source, .access = Use::storage_read},
                         {.view = result, .access = Use::storage_write, .binding = 1}}}));
  }

  void scan(DataView source, DataView result) {
    source.rows = result.rows = std::min(source.rows, result.rows);
    note(graph_.add(Scan{.id = next_id(), .input = source, .output = result}));
  }

  Result<Graph> finish() {
    if (!ok_) return pass_on(ok_);
    return std::move(graph_);
  }

 private:
  std::string next_id() { return concat("node", nodes_++); }

  template <class T>
  void note(const Result<T>& result) {
    if (ok_ && !result) ok_ = pass_on(result);
  }

  Graph graph_;
  std::uint32_t nodes_ = 0;
  Result<void> ok_;
};

void add_chain(Builder& builder, std::uint32_t nodes) {
  DataView last = builder.transient(0);
  builder.fill(last);
  for (std::uint32_t i = 1; i < nodes; ++i) {
    const DataView next = builder.transient(i);
    if (i % 2 == 0) {
      builder.twice(last, next);
    } else {
      builder.scan(last, next);
    }
    last = next;
  }
}

void add_fan(Builder& builder, std::uint32_t nodes) {
  const DataView shared = builder.transient(0);
  builder.fill(shared);
  for (std::uint32_t i = 1; i < nodes - 1; ++i)
    builder.twice(shared, builder.transient(i));
  builder.fill(shared);
}

void add_nesting(Builder& builder, std::uint32_t nodes) {
  std::vector<DataView> open;
  for (std::uint32_t i = 0; i < nodes / 2; ++i) {
    open.push_back(builder.transient(i));
    builder.fill(open.back());
  }
  for (std::uint32_t i = nodes / 2; i < nodes; ++i) {
    builder.twice(open.back(), builder.transient(i));
    if (open.size() > 1) open.pop_back();
  }
}

}  // namespace

const char* to_string(GraphShape shape) {
  switch (shape) {
    case GraphShape::chain: return "chain";
    case GraphShape::fan: return "fan";
    case GraphShape::nesting: return "nesting";
  }
  return "";
}

Result<Graph> large_graph(GraphShape shape, std::uint32_t nodes) {
  Builder builder;
  switch (shape) {
    case GraphShape::chain: add_chain(builder, nodes); break;
    case GraphShape::fan: add_fan(builder, nodes); break;
    case GraphShape::nesting: add_nesting(builder, nodes); break;
  }
  return builder.finish();
}

}  // namespace wgprim::reference
