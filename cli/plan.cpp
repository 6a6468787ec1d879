// wgprim plan GRAPH|OP: what would run, without running it and without a device.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "chunks.hpp"
#include "graph_file.hpp"
#include "option_values.hpp"
#include "scan_options.hpp"
#include "verbs.hpp"
#include "wgprim/document.hpp"
#include "wgprim/graph.hpp"
#include "wgprim/report.hpp"

namespace wgprim::cli {
namespace {

struct PlanCommand {
  std::string subject;  ///< An operation, else a graph file.
  std::optional<std::uint64_t> rows;
  std::string format;  ///< Empty where not given.
  std::optional<std::string> budget;
  ScanChoices choices;
  ChunkChoices chunks;
  std::string operation_option;  ///< One that was given and belongs to operations,
  std::string scan_option;       ///< and one that belongs to scans alone.

  bool is_operation() const { return subject == "scan" || subject == "reduce"; }
};

std::unexpected<Error> refuse(std::string sentence) {
  return fail(ErrorCode::invalid_argument, std::move(sentence));
}

Result<Plan> plan_operation(const PlanCommand& command, const DeviceProfile& profile) {
  if (!command.rows) {
    return refuse(
        fmt::format("--n is required: the rows that '{}' is planned for.", command.subject));
  }
  auto options = command.choices.options_without_file();
  if (!options) return pass_on(options);
  if (command.subject == "reduce") {
    if (command.scan_option.empty()) {
      return plan_reduce(*command.rows, reduce_options(*options), profile);
    }
    return refuse(
        fmt::format("{} is for scan; a reduction takes --n, --dtype, --op, --segments, --path "
                    "and --subgroups.",
                    command.scan_option));
  }
  if (auto ok = command.chunks.apply_to(*options, *command.rows); !ok) return pass_on(ok);
  return plan_scan(*command.rows, *options, profile);
}

Result<Plan> plan_graph(const PlanCommand& command, const DeviceProfile& profile) {
  if (!command.operation_option.empty()) {
    return refuse(fmt::format("{} is for operations (scan, reduce); '{}' is taken as a graph file.",
                              command.operation_option, command.subject));
  }
  auto graph = read_graph(command.subject);
  return graph ? graph->compile(profile) : pass_on(graph);
}

/// A word that is neither an operation nor looks like a file: most likely a misspelt operation.
Result<void> check_subject(const std::string& subject) {
  std::error_code error;
  const bool is_path = subject == "-" || subject.find_first_of("./") != std::string::npos;
  if (is_path || std::filesystem::exists(subject, error)) return {};
  return refuse(fmt::format("'{}' is neither an operation (scan, reduce) nor a file.", subject));
}

std::string to_page(const Plan& plan, const DeviceProfile& profile) {
  return fmt::format("{}\n{}\n{}", to_text(plan), to_text(stats_of(plan)),
                     to_text(preflight(plan, profile.limits)));
}

Result<void> run(const PlanCommand& command, Session& session) {
  if (session.is_json && !command.format.empty() && command.format != "json") {
    return refuse(
        fmt::format("--json and --format {} ask for two forms; one is printed.", command.format));
  }
  if (!command.is_operation()) {
    if (auto ok = check_subject(command.subject); !ok) return ok;
  }
  const auto budget = parse_budget(command.budget);
  if (!budget) return pass_on(budget);
  const auto profile = session.profile_for_planning();
  if (!profile) return pass_on(profile);
  auto plan =
      command.is_operation() ? plan_operation(command, *profile) : plan_graph(command, *profile);
  if (!plan) return pass_on(plan);
  if (*budget) {
    if (auto ok = apply_budget(*plan, **budget); !ok) return ok;
  }
  if (session.is_json || command.format == "json") return print(to_json(*plan));
  return print(command.format == "dot" ? to_dot(*plan) : to_page(*plan, *profile));
}

}  // namespace

Verb add_plan(CLI::App& verb) {
  auto command = std::make_shared<PlanCommand>();
  verb.add_option("OP|GRAPH", command->subject,
                  "An operation (scan, reduce), else a graph file; ./scan is a file of that name")
      ->required()
      ->type_name("scan|reduce|GRAPH.json");
  verb.add_option("--format", command->format, "How to print it (default text)")
      ->check(one_of({"text", "json", "dot"}))
      ->type_name("text|json|dot");
  add_budget(verb, command->budget);
  const std::size_t shared = verb.get_options().size();
  verb.add_option("--n", command->rows, "Rows, for an operation")
      ->check(whole_number())
      ->type_name("N");
  add_rows_without_file(verb, command->choices);
  add_scan_mode(verb, command->choices.options);
  add_scan_operator(verb, command->choices);
  add_scan_options(verb, command->choices.options);
  add_chunks(verb, command->chunks);
  auto own = verb.get_options();
  own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(shared));
  verb.parse_complete_callback([command, own, &verb] {
    for (const CLI::Option* option : options_of_scan_alone(verb))
      command->scan_option = option->get_name();
    for (const CLI::Option* option : own) {
      if (option->count() > 0) command->operation_option = option->get_name();
    }
  });
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
