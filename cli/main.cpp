// wgprim VERB: parses the command line, runs the verb, maps errors to exit statuses.
// One file a verb beside this one; what they share is in session.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "session.hpp"
#include "signals.hpp"
#include "usage.hpp"
#include "verbs.hpp"
#include "wgprim/version.hpp"

namespace wgprim::cli {
namespace {

struct VerbEntry {
  const char* name = nullptr;
  const char* summary = nullptr;
  Verb (*add)(CLI::App&) = nullptr;
  const char* adapter_default = "WGPRIM_ADAPTER, else the best GPU";
};

constexpr std::array kVerbs = {
    VerbEntry{"info", "Adapters, the one taken and why, features, limits, versions", add_info},
    VerbEntry{"scan", "Running sums, minima or maxima of a file or stream", add_scan},
    VerbEntry{"reduce", "The sum, minimum or maximum of a file or stream", add_reduce},
    VerbEntry{"run", "A graph of operations and kernels of your own, over files", add_run},
    VerbEntry{"plan", "What a graph or an operation would run, without a device", add_plan,
              "none: WebGPU's default limits, no subgroups"},
    VerbEntry{"shader", "Final WGSL of a kernel", add_shader, "none; a text depends on no device"},
    VerbEntry{"check", "Random cases against the scalar reference", add_check},
    VerbEntry{"bench", "How long an operation takes, beside what the memory allows", add_bench},
};

/// What the words ask for, ready to run: a verb, or to print the help or the version.
Result<Verb> parse(std::span<char*> words, Session& session) {
  std::optional<Verb> chosen;
  CLI::App app("Scans and reductions on any GPU. Example: wgprim scan data.npy -o out.npy --verify",
               "wgprim");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  for (const VerbEntry& entry : kVerbs) {
    CLI::App* verb = app.add_subcommand(entry.name, entry.summary);
    verb->callback([&chosen, run = entry.add(*verb)] { chosen = run; });
    add_global_options(*verb, session, entry.adapter_default);
  }
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    app.exit(success, text, text);
    return [text = text.str()](Session&) { return print(text); };
  } catch (const CLI::ParseError& error) {
    // The parser may have stopped before it came to --json.
    session.is_json = std::ranges::find(words, std::string_view("--json")) != words.end();
    return fail(ErrorCode::invalid_argument, usage_message(app, error));
  }
  return *chosen;
}

/// Parses and runs. What a library throws is an error like any other.
Result<void> run(std::span<char*> words, Session& session) {
  try {
    const auto verb = parse(words, session);
    expect_json(session.is_json);
    return verb ? (*verb)(session) : pass_on(verb);
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::out_of_memory, "The host has no memory left.");
  } catch (const std::exception& fault) {
    return fail(ErrorCode::internal, fmt::format("Internal fault: {}.", fault.what()));
  }
}

}  // namespace
}  // namespace wgprim::cli

int main(int argument_count, char** arguments) {
  using namespace wgprim::cli;
  occupy_closed_streams();
  set_up_signals();
  Session session;
  const auto result = run({arguments, static_cast<std::size_t>(argument_count)}, session);
  if (result) return 0;
  const int status = report_error(result.error(), session);
  // After a lost device a worker of the driver may spin for ever, and a destructor wait for it.
  if (result.error().code == wgprim::ErrorCode::device_lost) std::_Exit(status);
  return status;
}
