// wgprim scan IN -o OUT: running sums, minima or maxima of a file or stream, checked on request.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "array_pieces.hpp"
#include "chunks.hpp"
#include "io/array_file.hpp"
#include "io/output_file.hpp"
#include "one_call_report.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "reference/row_checker.hpp"
#include "rows.hpp"
#include "scan_options.hpp"
#include "verbs.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::cli {
namespace {

struct ScanCommand {
  std::string input;
  std::string output;
  std::optional<std::string> flags;
  ScanChoices choices;
  ChunkChoices chunks;
  std::optional<std::uint64_t> memory;
  bool is_verified = false;
};

/// What the files hold and what is made of it.
struct ScanTask {
  io::ArrayFile input;
  std::optional<SegmentFlagsFile> flags;
  ScanOptions options;

  std::span<const std::uint32_t> flag_words() const {
    return flags ? flags->words() : std::span<const std::uint32_t>();
  }
};

Result<void> check_usage(const ScanCommand& command, const Session& session) {
  const auto refuse = [](std::string sentence) {
    return fail(ErrorCode::invalid_argument, std::move(sentence));
  };
  if (session.is_json && io::is_standard_output(command.output)) {
    return refuse(fmt::format("--json and -o {} both want stdout.", command.output));
  }
  if (command.memory && command.chunks.is_given()) {
    return refuse("--chunks and --memory both cut the arrays; only one of them can be given.");
  }
  if (command.input == "-" && command.flags == "-") {
    return refuse("IN and --segments both want stdin.");
  }
  return {};
}

/// FLAGS, where they are given.
Result<void> read_flags(const ScanCommand& command, ScanTask& task) {
  if (!command.flags) return {};
  auto flags = SegmentFlagsFile::read(*command.flags, task.input.rows());
  if (!flags) return pass_on(flags);
  task.flags = std::move(*flags);
  task.options.is_segmented = true;
  return {};
}

Result<ScanTask> read_task(const ScanCommand& command) {
  auto input = read_rows(command.input, command.choices.dtype);
  if (!input) return pass_on(input);
  const auto options = command.choices.options_for(*format_of(input->dtype()));
  if (!options) return pass_on(options);
  ScanTask task{.input = std::move(*input), .flags = {}, .options = *options};
  if (auto ok = read_flags(command, task); !ok) return pass_on(ok);
  if (auto ok = command.chunks.apply_to(task.options, task.input.rows()); !ok) return pass_on(ok);
  return task;
}

Result<ScanReport> scan_within(Device& device, const ScanTask& task, std::uint64_t memory,
                               const RowSink& take, const ProgressSink& show) {
  const auto rows = words_of(task.input);
  ResultPieces result(take, rows.size(), task.options.is_reverse);
  const auto sink = [&](std::uint64_t first, std::span<const std::uint32_t> words) {
    return result.take(first, words);
  };
  auto report = scan_in_pieces(device, pieces_of(rows, task.options.format, task.flag_words()),
                               sink, task.options, memory, show);
  if (!report) return report;
  if (auto ok = result.finish(); !ok) return pass_on(ok);
  return report;
}

/// Scans and writes piece by piece: the result is never held whole on the host.
Result<ScanReport> scan_to_file(Device& device, const ScanTask& task, const ScanCommand& command,
                                io::OutputFile& output) {
  const auto rows = words_of(task.input);
  reference::RowChecker checker(rows, task.options, task.flag_words());
  const auto take = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    if (command.is_verified) {
      if (auto ok = checker.check(piece); !ok) return ok;
    }
    return output.write(std::as_bytes(piece));
  };
  ProgressLine line;
  const auto show = [&](std::string_view stage, std::uint64_t part, std::uint64_t total) {
    line.update(stage, part, total);
  };
  if (command.memory) return scan_within(device, task, *command.memory, take, show);
  return scan(device, rows, take, task.options, show, task.flag_words());
}

Result<void> tell(const ScanCommand& command, const ScanTask& task, const ScanReport& report,
                  const Device& device, const Session& session) {
  if (session.is_json) return print_json(to_json(report, device, session, command.is_verified));
  const std::string sentence =
      fmt::format("{} rows scanned ({}) on {}: {}{}.\n", grouped(report.rows),
                  describe(task.options), device.adapter().name, how_it_went(report, session),
                  command.is_verified ? "; every row verified" : "");
  if (!io::is_standard_output(command.output)) return print(sentence);
  std::fputs(sentence.c_str(), stderr);
  return {};
}

Result<void> run(const ScanCommand& command, Session& session) {
  if (auto ok = check_usage(command, session); !ok) return ok;
  const auto task = read_task(command);
  if (!task) return pass_on(task);
  const io::ArrayFile& input = task->input;
  auto output = io::OutputFile::create(command.output);
  if (!output) return pass_on(output);
  const auto format = io::format_for_output(command.output, input.format());
  const auto reserved = io::reserve_array(*output, format, input.dtype(), input.rows());
  if (!reserved) return reserved;
  auto device = session.open_device();
  if (!device) return pass_on(device);

  const auto written = [&]() -> Result<ScanReport> {
    const auto header = io::write_array_header(*output, format, input.dtype(), input.rows());
    if (!header) return pass_on(header);
    auto report = scan_to_file(*device, *task, command, *output);
    if (!report) return report;
    if (auto ok = output->commit(); !ok) return pass_on(ok);
    return report;
  }();
  if (!written) {
    if (output->is_pipe_closed()) return {};  // The reader has had enough: end quietly.
    return pass_on(written);
  }
  return tell(command, *task, *written, *device, session);
}

}  // namespace

Verb add_scan(CLI::App& verb) {
  auto command = std::make_shared<ScanCommand>();
  verb.add_option("IN", command->input, "A .npy file, a raw file with --dtype, or - for stdin")
      ->required();
  verb.add_option("-o,--output", command->output,
                  "Where the result goes: .npy if it ends so, else raw; - for stdout in IN's "
                  "format; may be IN, which is replaced at the end")
      ->required()
      ->type_name("OUT");
  verb.add_option("--dtype", command->choices.dtype, "IN is raw little-endian of this type")
      ->type_name(row_type_names());
  add_scan_mode(verb, command->choices.options);
  add_scan_operator(verb, command->choices);
  verb.add_option("--segments", command->flags,
                  "A flag a row, nonzero where a segment starts (with --reverse: ends): .npy of "
                  "bool or integers, else raw uint32")
      ->type_name("FLAGS");
  add_scan_options(verb, command->choices.options);
  add_chunks(verb, command->chunks);
  add_memory(verb, command->memory);
  verb.add_flag("--verify", command->is_verified,
                "Check every row on the CPU: exactly, float32 sums within an error bound");
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
