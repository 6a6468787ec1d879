// wgprim VERB: parses the command line, runs the verb, maps errors to exit statuses.
// One file a verb beside this one; what they share is in session.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "io/output_file.hpp"
#include "session.hpp"
#include "verbs.hpp"
#include "wgprim/version.hpp"

namespace wgprim::cli {
namespace {

struct VerbEntry {
  const char* name;
  const char* summary;
  Verb (*add)(CLI::App&);
};

constexpr std::array kVerbs = {
    VerbEntry{"info", "Adapters, the one taken and why, features, limits, versions", add_info},
    VerbEntry{"scan", "Prefix sums of a file or stream", add_scan},
    VerbEntry{"plan", "What an operation would run, without a device", add_plan},
    VerbEntry{"shader", "Final WGSL of a kernel", add_shader},
    VerbEntry{"check", "Random cases against the scalar reference", add_check},
};

extern "C" void end_interrupted(int signal_number) {
  io::remove_unfinished_outputs();
  std::_Exit(128 + signal_number);
}

void set_up_signals() {
  std::signal(SIGINT, end_interrupted);
  std::signal(SIGTERM, end_interrupted);
  std::signal(SIGPIPE, SIG_IGN);  // A closed pipe arrives as an error of write.
  std::signal(SIGXFSZ, SIG_IGN);  // So does a file size limit.
}

/// After a lost device a worker of the driver may spin for ever, and a destructor wait for it.
[[noreturn]] void leave_at_once(int status) {
  std::fflush(nullptr);
  std::_Exit(status);
}

int run(int argument_count, char** arguments) {
  set_up_signals();
  Session session;
  std::optional<Verb> chosen;
  CLI::App app("Data-parallel primitives for every GPU", "wgprim");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  for (const VerbEntry& entry : kVerbs) {
    CLI::App* verb = app.add_subcommand(entry.name, entry.summary);
    verb->callback([&chosen, run = entry.add(*verb)] { chosen = run; });
    add_global_options(*verb, session);
  }
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    const std::span words(arguments, static_cast<std::size_t>(argument_count));
    const bool is_json = std::ranges::find(words, std::string_view("--json")) != words.end();
    std::string message = error.what();
    if (!message.ends_with('.')) message += '.';
    return report_error({ErrorCode::invalid_argument, message}, is_json);
  }
  const auto result = (*chosen)(session);
  if (result) return 0;
  const int status = report_error(result.error(), session.is_json);
  if (result.error().code == ErrorCode::device_lost) leave_at_once(status);
  return status;
}

}  // namespace
}  // namespace wgprim::cli

int main(int argument_count, char** arguments) {
  try {
    return wgprim::cli::run(argument_count, arguments);
  } catch (const std::bad_alloc&) {
    std::fputs("wgprim: the host has no memory left.\n", stderr);
    return 4;
  } catch (const std::exception& fault) {
    fmt::print(stderr, "wgprim: internal fault: {}.\n", fault.what());
    return 5;
  }
}
