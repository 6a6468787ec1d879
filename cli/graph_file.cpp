// Graph files and budgets; see the header.
#include "graph_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/text_file.hpp"
#include "wgprim/document.hpp"

namespace wgprim::cli {
namespace {

std::unexpected<Error> refuse_budget(const std::string& sentence) {
  return fail(ErrorCode::invalid_argument, "--budget: " + sentence);
}

}  // namespace

Result<Graph> read_graph(const std::string& path) {
  const auto text = io::read_text(path);
  if (!text) return pass_on(text);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const auto load = [&](std::string_view name) { return io::read_text((folder / name).string()); };
  auto graph = graph_from_json(*text, load);
  if (graph) return graph;
  const std::string name = path == "-" ? "on standard input" : fmt::format("'{}'", path);
  return fail(graph.error().code, fmt::format("Graph {}: {}", name, graph.error().message));
}

void add_budget(CLI::App& verb, std::string& budget) {
  verb.add_option("--budget", budget,
                  "Cut the run into steps of at most this much: invocations=N, and nodes=N, "
                  "commands=N, read_bytes=N, written_bytes=N where wanted")
      ->type_name("NAME=N,...");
}

Result<std::optional<Budget>> parse_budget(const std::string& words) {
  if (words.empty()) return std::nullopt;
  Budget budget;
  for (const std::string& word : CLI::detail::split(words, ',')) {
    if (auto ok = set_bound(budget, word); !ok) return refuse_budget(ok.error().message);
  }
  if (budget.invocations == 0) return refuse_budget("The bound 'invocations' is missing.");
  return budget;
}

}  // namespace wgprim::cli
