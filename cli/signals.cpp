// What a handler may do: remove files, write constant text, leave. See the header.
#include "signals.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "io/output_file.hpp"

namespace wgprim::cli {
namespace {

volatile std::sig_atomic_t is_json_due = 0;

void write_out(int stream, std::initializer_list<std::string_view> pieces) {
  for (const std::string_view piece : pieces) {
    [[maybe_unused]] const auto written = write(stream, piece.data(), piece.size());
  }
}

/// The object that report_error prints. Neither text needs escapes.
void write_json(std::string_view code, std::string_view sentence) {
  is_json_due = 0;
  write_out(STDOUT_FILENO, {"{\n  \"error\": {\n    \"code\": \"", code, "\",\n    \"message\": \"",
                            sentence, "\"\n  }\n}\n"});
}

std::string_view interruption(int signal_number) {
  switch (signal_number) {
    case SIGTERM: return "Interrupted by SIGTERM.";
    case SIGHUP: return "Interrupted by SIGHUP.";
    case SIGQUIT: return "Interrupted by SIGQUIT.";
    default: return "Interrupted by SIGINT.";
  }
}

extern "C" void end_interrupted(int signal_number) {
  io::remove_unfinished_outputs();
  if (is_json_due != 0) write_json("interrupted", interruption(signal_number));
  std::_Exit(128 + signal_number);
}

/// A fault of this tool or a driver; or a mapped file that has become shorter, which is the input
/// or, with some drivers, device memory.
extern "C" void end_by_fault(int signal_number) {
  io::remove_unfinished_outputs();
  const bool is_mapping = signal_number == SIGBUS;
  const std::string_view sentence =
      is_mapping
          ? "A mapped file ended early: the input was shortened while it was read, or a file size "
            "limit (ulimit -f) is too low for the driver."
          : "Internal fault: this tool or the driver crashed.";
  if (is_json_due != 0) {
    write_json(is_mapping ? "io" : "internal", sentence);
  } else {
    write_out(STDERR_FILENO, {"wgprim: ", sentence, "\n"});
  }
  std::_Exit(is_mapping ? 2 : 5);
}

}  // namespace

void set_up_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    // What the parent ignores, as nohup does, stays ignored.
    if (std::signal(number, end_interrupted) == SIG_IGN) std::signal(number, SIG_IGN);
  }
  for (const int number : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
    std::signal(number, end_by_fault);
  }
  std::signal(SIGPIPE, SIG_IGN);  // A closed pipe arrives as an error of write.
  std::signal(SIGXFSZ, SIG_IGN);  // So does a file size limit.
}

void expect_json(bool is_due) { is_json_due = is_due ? 1 : 0; }

}  // namespace wgprim::cli
