// wgprim check OP: random cases against the scalar reference; a failure prints the line that
// repeats it.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "check_cases.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "reference/row_checker.hpp"
#include "scan_options.hpp"
#include "verbs.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::cli {
namespace {

/// How far float32 sums were off in the case where that was furthest.
using GreatestError = std::optional<reference::SumError>;

void keep_greater(GreatestError& greatest, const GreatestError& error) {
  if (error && (!greatest || error->error > greatest->error)) greatest = error;
}

/// What is wrong with the device's answer, or nothing.
using Fault = std::optional<std::string>;

Result<Fault> run_scan(Device& device, const CheckCase& test, GreatestError& greatest) {
  const auto input = test.input();
  const auto flags = test.flags();
  reference::RowChecker checker(input, test.options, flags);
  const auto check = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    static_cast<void>(checker.check(piece));  // It keeps the first fault.
    return {};
  };
  const auto report = scan(device, input, check, test.options, {}, flags);
  if (!report) return pass_on(report);
  keep_greater(greatest, checker.greatest_error());
  if (const auto& wrong = checker.wrong_row()) {
    return fmt::format("row {} is {}, the reference says {}", wrong->row, wrong->found,
                       wrong->expected);
  }
  if (checker.rows_checked() == test.rows) return std::nullopt;
  return fmt::format("{} rows came back, not {}", checker.rows_checked(), test.rows);
}

Result<Fault> run_reduce(Device& device, const CheckCase& test, GreatestError& greatest) {
  const auto input = test.input();
  const ReduceOptions options = reduce_options(test.options);
  GreatestError error;
  const auto fault_of = [&](const Result<void>& right) {
    keep_greater(greatest, error);
    return right ? Fault() : Fault(right.error().message);
  };
  if (!options.is_segmented) {
    const auto report = reduce(device, input, options, {});
    if (!report) return pass_on(report);
    return fault_of(reference::check_reduction(input, options.op.kind, report->value, &error));
  }
  const auto flags = test.flags();
  std::vector<std::uint32_t> totals;
  const auto collect = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    totals.insert(totals.end(), piece.begin(), piece.end());
    return {};
  };
  const auto report = reduce_by_flags(device, input, flags, collect, options);
  if (!report) return pass_on(report);
  return fault_of(reference::check_segment_totals(input, flags, options.op.kind, options.format,
                                                  totals, &error));
}

std::string to_text(const Json& outcome) {
  std::string text;
  for (const Json& failure : outcome["failures"]) {
    text += fmt::format("{}: {}\n", failure["reproduction"].get<std::string>(),
                        failure["message"].get<std::string>());
  }
  if (outcome.contains("sum_error")) {
    text +=
        fmt::format("the greatest error of a float32 sum is {:.3g}, where the bound is {:.3g}\n",
                    outcome["sum_error"]["greatest"].get<double>(),
                    outcome["sum_error"]["bound"].get<double>());
  }
  return text + fmt::format("{} of {} cases right on {}\n",
                            outcome["cases"].get<std::uint64_t>() - outcome["failures"].size(),
                            outcome["cases"].get<std::uint64_t>(),
                            outcome["adapter"].get<std::string>());
}

Result<void> check_usage(const CheckCommand& command) {
  if (!command.is_scan() && !command.scan_option.empty()) {
    return fail(
        ErrorCode::invalid_argument,
        fmt::format("{} is for scan; a reduction takes --n, --seed, --cases, --dtype, --op, "
                    "--segments, --path and --subgroups.",
                    command.scan_option));
  }
  if (command.cases == 0) {
    return fail(ErrorCode::invalid_argument, "--cases is at least 1: no case would show nothing.");
  }
  if (command.rows <= kMaxRows) return {};
  return fail(ErrorCode::limit_exceeded,
              fmt::format("A {} of {} rows is above the {} that one operation takes.",
                          command.is_scan() ? "scan" : "reduction", *command.rows, kMaxRows));
}

/// Runs all cases. Errors: those that keep a case from running at all.
Result<Json> run_cases(Device& device, const CheckCommand& command, const ScanOptions& options,
                       const DeviceRequest& request) {
  Json failures = Json::array();
  GreatestError greatest;
  ProgressLine line(ProgressLine::Unit::others);
  for (std::uint64_t index = 0; index < command.cases; ++index) {
    const auto test = make_case(command, options, index);
    if (!test) return pass_on(test);
    const auto fault =
        command.is_scan() ? run_scan(device, *test, greatest) : run_reduce(device, *test, greatest);
    if (!fault) return pass_on(fault);
    if (*fault) {
      failures.push_back({{"reproduction", test->reproduction(request)}, {"message", **fault}});
    }
    line.update("checking", index + 1, command.cases);
  }
  Json outcome = {{"adapter", device.adapter().name},
                  {"operation", command.operation},
                  {"cases", command.cases},
                  {"seed", command.seed},
                  {"failures", std::move(failures)}};
  if (greatest) outcome["sum_error"] = {{"greatest", greatest->error}, {"bound", greatest->bound}};
  return outcome;
}

Result<void> run(const CheckCommand& command, Session& session) {
  if (auto ok = check_usage(command); !ok) return ok;
  const auto options = command.choices.options_without_file();
  if (!options) return pass_on(options);
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto outcome = run_cases(*device, command, *options, session.request);
  if (!outcome) return pass_on(outcome);
  const std::size_t count = (*outcome)["failures"].size();
  if (count == 0) return session.is_json ? print_json(*outcome) : print(to_text(*outcome));
  if (session.is_json) {
    session.findings = *outcome;
  } else if (auto printed = print(to_text(*outcome)); !printed) {
    return printed;
  }
  return fail(ErrorCode::verification_failed,
              fmt::format("{} of {} cases differ from the reference.", count, command.cases));
}

}  // namespace

Verb add_check(CLI::App& verb) {
  auto command = std::make_shared<CheckCommand>();
  verb.add_option("OP", command->operation, "The operation")
      ->required()
      ->check(one_of({"scan", "reduce"}))
      ->type_name("scan|reduce");
  verb.add_option("--n", command->rows, "Rows of every case (default: random)")
      ->check(whole_number())
      ->type_name("N");
  verb.add_option("--mode", command->mode, "Mode of every case (default: random)")
      ->check(one_of({"exclusive", "inclusive"}))
      ->type_name("exclusive|inclusive");
  verb.add_option("--seed", command->seed, "Seed of the first case; the next has the next")
      ->check(whole_number())
      ->type_name("N");
  verb.add_option("--cases", command->cases, "How many cases (default 100)")
      ->check(whole_number())
      ->type_name("N");
  add_rows_without_file(verb, command->choices);
  add_scan_operator(verb, command->choices);
  add_scan_options(verb, command->choices.options);
  add_chunks(verb, command->chunks);
  verb.parse_complete_callback([command, &verb] {
    for (const CLI::Option* option : options_of_scan_alone(verb))
      command->scan_option = option->get_name();
  });
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
