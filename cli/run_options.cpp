// The words of `wgprim run`; see the header.
#include "run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph_file.hpp"
#include "io/output_file.hpp"
#include "option_values.hpp"

namespace wgprim::cli {
namespace {

std::unexpected<Error> refuse(std::string sentence) {
  return fail(ErrorCode::invalid_argument, std::move(sentence));
}

/// Splits at the first '='; both sides must hold something.
Result<std::vector<Assignment>> parse_assignments(std::string_view option,
                                                  const std::vector<std::string>& words) {
  std::vector<Assignment> assignments;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      return refuse(fmt::format("{} '{}' is not of the form NAME=VALUE.", option, word));
    }
    assignments.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return assignments;
}

Result<std::map<std::string, bool>> parse_parameters(const std::vector<std::string>& words) {
  const auto assignments = parse_assignments("--set", words);
  if (!assignments) return pass_on(assignments);
  std::map<std::string, bool> parameters;
  for (const Assignment& set : *assignments) {
    if (set.value != "true" && set.value != "false") {
      return refuse(
          fmt::format("Parameter '{}' is set to '{}' (true or false).", set.name, set.value));
    }
    if (!parameters.emplace(set.name, set.value == "true").second) {
      return refuse(fmt::format("Parameter '{}' is set twice.", set.name));
    }
  }
  return parameters;
}

Result<void> check_binds(const RunCommand& command, const std::vector<Assignment>& binds) {
  std::set<std::string> bound;
  std::size_t readers = command.graph == "-" ? 1 : 0;
  for (const Assignment& bind : binds) {
    if (!bound.insert(bind.name).second) {
      return refuse(fmt::format("Buffer '{}' is bound twice.", bind.name));
    }
    if (bind.value == "-") ++readers;
  }
  if (readers <= 1) return {};
  return refuse(fmt::format("Standard input can be read once, not {} times.", readers));
}

Result<void> check_streams(const std::vector<Assignment>& outs, bool is_json) {
  const auto to_stdout = std::ranges::count_if(
      outs, [](const Assignment& out) { return io::is_standard_output(out.value); });
  if (to_stdout > 1) {
    return refuse(fmt::format("Standard output takes one --out, not {}.", to_stdout));
  }
  if (to_stdout == 1 && is_json) return refuse("--json and --out both want stdout.");
  return {};
}

}  // namespace

void add_run_options(CLI::App& verb, RunCommand& command) {
  const auto add_list = [&](const char* name, std::vector<std::string>& words, const char* type,
                            const char* help) {
    verb.add_option(name, words, help)
        ->type_name(type)
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
  };
  verb.add_option("GRAPH", command.graph, "A graph file, or - for stdin")->required();
  add_list(
      "--bind", command.binds, "BUFFER=FILE",
      "Fill an imported buffer: the data of a .npy file or a raw file, exactly its bytes; - "
      "for stdin. Buffers whose first use writes them, or reads and writes them, may be left to "
      "start as zeros");
  add_list("--out", command.outs, "NAME=FILE",
           "Where an imported buffer (as uint32) or a view (in its format) goes: .npy if FILE ends "
           "so, else raw; - for stdout; may be a file that is bound");
  add_list("--set", command.parameters, "PARAM=true|false",
           "Whether the nodes with that condition run");
  verb.add_option("--repeat", command.repeat, "Run so many times over the same buffers (default 1)")
      ->check(whole_number())
      ->type_name("K");
  add_budget(verb, command.budget);
  verb.add_flag("--timings", command.is_timed, "GPU time of each node");
}

Result<RunWords> parse_words(const RunCommand& command, bool is_json) {
  if (command.repeat == 0) return refuse("--repeat 0 runs nothing; at least 1 is needed.");
  auto binds = parse_assignments("--bind", command.binds);
  if (!binds) return pass_on(binds);
  if (auto ok = check_binds(command, *binds); !ok) return pass_on(ok);
  auto outs = parse_assignments("--out", command.outs);
  if (!outs) return pass_on(outs);
  if (auto ok = check_streams(*outs, is_json); !ok) return pass_on(ok);
  auto parameters = parse_parameters(command.parameters);
  if (!parameters) return pass_on(parameters);
  const auto budget = parse_budget(command.budget);
  if (!budget) return pass_on(budget);
  return RunWords{std::move(*binds), std::move(*outs), std::move(*parameters), *budget};
}

}  // namespace wgprim::cli
