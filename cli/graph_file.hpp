// The graph file that a verb names, and --budget: shared by plan and run.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "wgprim/budget.hpp"
#include "wgprim/graph.hpp"
#include "wgprim/result.hpp"

namespace wgprim::cli {

/// The graph in a file, or on standard input for "-". Shaders that it names as files are looked for
/// beside it. Errors: those of reading and of graph_from_json, with the file's name.
Result<Graph> read_graph(const std::string& path);

/// Adds --budget, whose words go to `budget`.
void add_budget(CLI::App& verb, std::optional<std::string>& budget);

/// The words of --budget, "invocations=N,nodes=N,commands=N,read_bytes=N,written_bytes=N"; nothing
/// where it was not given. Errors: a word that is none of these, also an empty one, one given
/// twice, no invocations, a bound that is no number or 0.
Result<std::optional<Budget>> parse_budget(const std::optional<std::string>& words);

}  // namespace wgprim::cli
