// See the header.
#include "support/graphs.hpp"

namespace wgprim::testing {

DataView imported(Graph& graph, const std::string& id, std::uint64_t bytes) {
  const BufferId buffer = graph.import_buffer({.id = id, .bytes = bytes}).value();
  return {.buffer = buffer, .rows = bytes / 4};
}

DataView transient(Graph& graph, const std::string& id, std::uint64_t rows) {
  return {.buffer = graph.declare_transient({.id = id, .rows = rows}).value(), .rows = rows};
}

External noop(const std::string& id, std::vector<std::string> depends_on) {
  return {.id = id, .uses = {}, .depends_on = std::move(depends_on)};
}

std::string wgsl_with(std::size_t bindings) {
  std::string text;
  std::string body;
  for (std::size_t i = 0; i < bindings; ++i) {
    const std::string name = "b" + std::to_string(i);
    text += "@group(0) @binding(" + std::to_string(i) + ") var<storage, read_write> " + name +
            ": array<u32>;\n";
    body += "  " + name + "[id.x] += 1u;\n";
  }
  return text +
         "@compute @workgroup_size(64)\nfn touch(@builtin(global_invocation_id) id: vec3u) {\n" +
         body + "}\n";
}

std::string order_of(const Plan& plan) {
  std::string order;
  for (const PlanNode& node : plan.nodes)
    order += (order.empty() ? "" : " ") + node.id;
  return order;
}

std::string order_of(Graph& graph) { return order_of(graph.compile({}).value()); }

}  // namespace wgprim::testing
