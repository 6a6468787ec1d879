// Graphs and plans as JSON documents: the forms that files hold and browsers read. Strict: an
// unknown, missing or repeated key, or a number out of range, is an error that names the key and
// its place. Schemas: docs/schemas. All of it is pure and also runs as WebAssembly.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "wgprim/graph.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Gives the text of a file that a graph names as `wgsl_file`, relative to the graph.
using LoadText = std::function<Result<std::string>(std::string_view path)>;

/// Reads a graph. `load` is called once for each path; what all nodes load of it ends at 256 MiB
/// (limit_exceeded). Errors: invalid_file with the key and its place; those of `load` and of
/// Graph's declarations, with the place before the sentence. Without `load`, `wgsl_file` is an
/// error; the path "-" always is.
Result<Graph> graph_from_json(std::string_view text, const LoadText& load = {});

/// The graph as a document that `graph_from_json` reads to an equal graph; one buffer, view or node
/// a line. Views without a name get one. Errors: an external node, which no document can hold, and
/// an id that is no UTF-8.
Result<std::string> to_json(const Graph& graph);

/// One item of a list a line, keys always in the same order: made for line-by-line comparison.
std::string to_json(const Plan& plan);

/// The plan that `to_json` wrote: plan_from_json(to_json(plan)) == plan. Every index is one of its
/// list, so that reports can be made of the plan; totals are read as they stand, and
/// Executable::create checks a plan whole. Errors: invalid_file with the key and its place.
Result<Plan> plan_from_json(std::string_view text);

}  // namespace wgprim
