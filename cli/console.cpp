// Streams of the command line; see the header.
#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <span>

#include "io/output_file.hpp"
#include "signals.hpp"

namespace wgprim::cli {

void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    // The lowest free number is the stream's. Using it fails, as on a closed one.
    [[maybe_unused]] const int number =
        open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

Result<void> print(std::string_view text) {
  expect_json(false);  // What is printed now is all that stdout gets.
  auto output = io::OutputFile::create("-");
  if (!output) return pass_on(output);
  const auto written = output->write(std::as_bytes(std::span(text)));
  if (!written && output->is_pipe_closed()) return {};
  return written;
}

Result<void> print_json(const Json& json) {
  return print(json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n");
}

void say(std::string_view sentence) {
  std::fputs(fmt::format("wgprim: {}\n", sentence).c_str(), stderr);
}

}  // namespace wgprim::cli
