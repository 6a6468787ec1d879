// wgprim plan OP --n N: what would run, without running it and without a device.
#include <memory>

#include "option_values.hpp"
#include "scan_options.hpp"
#include "verbs.hpp"
#include "wgprim/document.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::cli {
namespace {

struct PlanCommand {
  std::string operation;
  std::uint64_t rows = 0;
  std::string format = "text";
  ScanOptions options;
};

Result<void> run(const PlanCommand& command, Session& session) {
  const auto profile = session.profile_for_planning();
  if (!profile) return pass_on(profile);
  const auto plan = plan_scan(command.rows, command.options, *profile);
  if (!plan) return pass_on(plan);
  const bool is_json = session.is_json || command.format == "json";
  return print(is_json ? to_json(*plan) : to_text(*plan));
}

}  // namespace

Verb add_plan(CLI::App& verb) {
  auto command = std::make_shared<PlanCommand>();
  verb.add_option("OP", command->operation, "The operation")
      ->required()
      ->check(one_of({"scan"}))
      ->type_name("scan");
  verb.add_option("--n", command->rows, "Rows")->required()->check(whole_number())->type_name("N");
  verb.add_option("--format", command->format, "How to print it")
      ->check(one_of({"text", "json"}))
      ->type_name("text|json");
  add_scan_mode(verb, command->options);
  add_scan_options(verb, command->options);
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
