// wgprim check OP: random cases against the scalar reference; a failure prints the line that
// repeats it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <random>

#include "option_values.hpp"
#include "progress.hpp"
#include "reference/random_rows.hpp"
#include "reference/scan.hpp"
#include "scan_options.hpp"
#include "verbs.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::cli {
namespace {

struct CheckCommand {
  std::string operation;
  std::optional<std::uint64_t> rows;
  std::optional<std::string> mode;
  std::uint64_t seed = 1;
  std::uint64_t cases = 100;
  ScanOptions options;
};

/// A scan of `rows` random words; everything follows from these values.
struct ScanCase {
  std::uint64_t rows = 0;
  std::uint64_t seed = 0;
  ScanOptions options;

  /// The command that runs this case alone, on a device asked for in the same way.
  std::string reproduction(const DeviceRequest& request) const {
    std::string line = fmt::format(
        "wgprim check scan --n {} --mode {} --seed {} --cases 1 --path {} --subgroups {}{}", rows,
        to_string(options.mode), seed, to_string(options.path), to_string(options.subgroups),
        options.is_in_place ? " --in-place" : "");
    if (!request.adapter.empty()) line += fmt::format(" --adapter '{}'", request.adapter);
    for (const std::string& limit : request.limits)
      line += " --limit " + limit;
    for (const std::string& capability : request.capabilities)
      line += " --capability " + capability;
    return line;
  }
};

/// Sizes where scans break: around subgroups, blocks and blocks of blocks.
constexpr std::uint64_t kEdges[] = {0,    1,    2,    3,    7,    8,    31,    32,    33,
                                    63,   64,   65,   127,  128,  129,  255,   256,   257,
                                    1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537};

ScanCase make_case(const CheckCommand& command, std::uint64_t index) {
  ScanCase test{.seed = command.seed + index, .options = command.options};
  std::mt19937_64 random(test.seed);
  const std::uint64_t pick = random();
  const bool is_edge = pick % 2 == 0;
  const std::uint64_t rows =
      is_edge ? kEdges[(pick >> 1) % std::size(kEdges)] : (pick >> 1) % 131072;
  test.rows = command.rows.value_or(rows);
  const bool is_inclusive = command.mode ? *command.mode == "inclusive" : random() % 2 == 1;
  test.options.mode = is_inclusive ? ScanMode::inclusive : ScanMode::exclusive;
  return test;
}

/// What is wrong with the device's answer, or nothing.
Result<std::optional<std::string>> run_case(Device& device, const ScanCase& test) {
  const auto input = reference::random_rows(test.rows, test.seed);
  const auto expected = test.options.mode == ScanMode::inclusive ? reference::inclusive_scan(input)
                                                                 : reference::exclusive_scan(input);
  std::vector<std::uint32_t> output;
  const auto append = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    output.insert(output.end(), piece.begin(), piece.end());
    return {};
  };
  const auto report = scan(device, input, append, test.options);
  if (!report) return pass_on(report);
  const auto wrong = std::ranges::mismatch(output, expected);
  if (wrong.in1 == output.end() && wrong.in2 == expected.end()) return std::nullopt;
  const auto row = wrong.in1 - output.begin();
  if (wrong.in1 == output.end() || wrong.in2 == expected.end()) {
    return fmt::format("{} rows came back, not {}", output.size(), expected.size());
  }
  return fmt::format("row {} is {}, the reference says {}", row, *wrong.in1, *wrong.in2);
}

std::string to_text(const Json& outcome) {
  std::string text;
  for (const Json& failure : outcome["failures"]) {
    text += fmt::format("{}: {}\n", failure["reproduction"].get<std::string>(),
                        failure["message"].get<std::string>());
  }
  return text + fmt::format("{} of {} cases right on {}\n",
                            outcome["cases"].get<std::uint64_t>() - outcome["failures"].size(),
                            outcome["cases"].get<std::uint64_t>(),
                            outcome["adapter"].get<std::string>());
}

Result<void> run(const CheckCommand& command, Session& session) {
  if (command.rows > kMaxRows) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("A scan of {} rows is above the {} that one operation takes.",
                            *command.rows, kMaxRows));
  }
  auto device = session.open_device();
  if (!device) return pass_on(device);
  Json failures = Json::array();
  {
    ProgressLine line(ProgressLine::Unit::others);
    for (std::uint64_t index = 0; index < command.cases; ++index) {
      const ScanCase test = make_case(command, index);
      const auto fault = run_case(*device, test);
      if (!fault) return pass_on(fault);
      if (*fault)
        failures.push_back(
            {{"reproduction", test.reproduction(session.request)}, {"message", **fault}});
      line.update("checking", index + 1, command.cases);
    }
  }
  const std::size_t count = failures.size();
  const Json outcome = {{"adapter", device->adapter().name},
                        {"operation", command.operation},
                        {"cases", command.cases},
                        {"seed", command.seed},
                        {"failures", std::move(failures)}};
  if (count == 0) return session.is_json ? print_json(outcome) : print(to_text(outcome));
  if (session.is_json) {
    session.findings = outcome;
  } else if (auto printed = print(to_text(outcome)); !printed) {
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
      ->check(one_of({"scan"}))
      ->type_name("scan");
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
  add_scan_options(verb, command->options);
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
