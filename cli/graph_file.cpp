// Graph files and budgets; see the header.
#include "graph_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

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

void add_budget(CLI::App& verb, std::optional<std::string>& budget) {
  const auto keep = [&budget](const std::string& words) { budget = words; };
  verb.add_option_function<std::string>(
          "--budget", keep,
          "Cut the run into steps of at most this much: invocations=N, and nodes=N, "
          "commands=N, read_bytes=N, written_bytes=N where wanted")
      ->type_name("NAME=N,...");
}

Result<std::optional<Budget>> parse_budget(const std::optional<std::string>& words) {
  if (!words) return std::nullopt;
  Budget budget;
  std::string_view rest = *words;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = rest.find(',');
    is_last = comma == std::string_view::npos;
    const auto ok = set_bound(budget, rest.substr(0, comma));
    if (!ok) return refuse_budget(ok.error().message);
    if (!is_last) rest.remove_prefix(comma + 1);
  }
  if (budget.invocations == 0) return refuse_budget("The bound 'invocations' is missing.");
  return budget;
}

}  // namespace wgprim::cli
