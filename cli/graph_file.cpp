// Graph files and budgets; see the header.
#include "graph_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "io/text_file.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/document.hpp"

namespace wgprim::cli {
namespace {

constexpr std::array<std::string_view, 5> kBounds = {"invocations", "nodes", "commands",
                                                     "read_bytes", "written_bytes"};

template <class... Parts>
std::unexpected<Error> refuse_budget(fmt::format_string<Parts...> format, Parts&&... parts) {
  return fail(ErrorCode::invalid_argument,
              "--budget: " + fmt::format(format, std::forward<Parts>(parts)...));
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
  std::array<std::optional<std::uint64_t>, kBounds.size()> bounds;
  for (const std::string& word : CLI::detail::split(words, ',')) {
    const auto [name, value] = split_assignment(word);
    const auto at = static_cast<std::size_t>(std::ranges::find(kBounds, name) - kBounds.begin());
    if (at == kBounds.size()) {
      return refuse_budget("There is no bound '{}' ({}).", name, fmt::join(kBounds, ", "));
    }
    if (bounds[at]) return refuse_budget("The bound '{}' is given twice.", name);
    bounds[at] = parse_number<std::uint64_t>(value);
    if (!bounds[at] || *bounds[at] == 0) {
      return refuse_budget("Bound '{}' is given as '{}' (a positive number).", name, value);
    }
  }
  if (!bounds[0]) return refuse_budget("The bound 'invocations' is missing.");
  return Budget{*bounds[0], bounds[1], bounds[2], bounds[3], bounds[4]};
}

}  // namespace wgprim::cli
