// wgprim reduce IN: the sum, minimum or maximum of a file or stream, printed alone; with segments
// one value each, printed or written.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "array_pieces.hpp"
#include "io/array_file.hpp"
#include "io/output_file.hpp"
#include "one_call_report.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "reference/row_checker.hpp"
#include "rows.hpp"
#include "scan_options.hpp"
#include "verbs.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::cli {
namespace {

struct ReduceCommand {
  std::string input;
  std::string dtype;
  std::optional<std::string> flags;
  std::string output;  ///< Of values a segment; empty: they are printed.
  ReduceOptions options;
  std::optional<std::uint64_t> memory;
  bool is_verified = false;
};

/// One value a segment, as packed rows.
struct SegmentValues {
  SegmentReport report;
  Format format = Format::uint32;
  std::vector<std::uint32_t> words;

  std::size_t row_words() const { return row_bytes(format) / 4; }
  RowValue at(std::uint64_t segment) const {
    RowValue value(format, {});
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(segment * row_words()), row_words(),
                value.words.begin());
    return value;
  }
};

Result<void> check_usage(const ReduceCommand& command, const Session& session) {
  const auto refuse = [](std::string sentence) {
    return fail(ErrorCode::invalid_argument, std::move(sentence));
  };
  if (command.flags && command.memory) {
    return refuse("--segments and --memory exclude each other: segments take all rows at once.");
  }
  if (command.input == "-" && command.flags == "-") {
    return refuse("IN and --segments both want stdin.");
  }
  if (session.is_json && io::is_standard_output(command.output)) {
    return refuse(fmt::format("--json and -o {} both want stdout.", command.output));
  }
  return {};
}

Result<SegmentValues> reduce_segments_of(Device& device, const io::ArrayFile& input,
                                         const SegmentFlagsFile& flags,
                                         const ReduceOptions& options) {
  SegmentValues values{.report = {}, .format = options.format, .words = {}};
  ProgressLine line;
  const auto report = reduce_by_flags(
      device, words_of(input), flags.words(),
      [&](std::span<const std::uint32_t> piece) -> Result<void> {
        values.words.insert(values.words.end(), piece.begin(), piece.end());
        return {};
      },
      options,
      [&](std::string_view stage, std::uint64_t part, std::uint64_t total) {
        line.update(stage, part, total);
      });
  if (!report) return pass_on(report);
  values.report = *report;
  return values;
}

Result<void> write_values(const ReduceCommand& command, const io::ArrayFile& input,
                          const SegmentValues& values) {
  auto output = io::OutputFile::create(command.output);
  if (!output) return pass_on(output);
  const auto format = io::format_for_output(command.output, input.format());
  const std::uint64_t rows = values.report.segments;
  auto written = io::write_array_header(*output, format, input.dtype(), rows);
  if (written) written = output->write(std::as_bytes(std::span(values.words)));
  if (written) written = output->commit();
  if (!written && output->is_pipe_closed()) return {};  // The reader has had enough.
  return written;
}

Result<void> run_by_segments(const ReduceCommand& command, const io::ArrayFile& input,
                             const ReduceOptions& options, Session& session) {
  const auto flags = SegmentFlagsFile::read(*command.flags, input.rows());
  if (!flags) return pass_on(flags);
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto values = reduce_segments_of(*device, input, *flags, options);
  if (!values) return pass_on(values);
  if (command.is_verified) {
    auto ok = reference::check_segment_totals(words_of(input), flags->words(), options.op.kind,
                                              options.format, values->words);
    if (!ok) return ok;
  }
  if (!command.output.empty()) {
    if (auto ok = write_values(command, input, *values); !ok) return ok;
  }
  const std::uint64_t count = values->report.segments;
  if (session.is_json) {
    Json json = to_json(values->report, *device, session, command.is_verified);
    json["segments"] = count;
    if (command.output.empty()) json["values"] = Json::array();
    for (std::uint64_t i = 0; command.output.empty() && i < count; ++i)
      json["values"].push_back(to_json(values->at(i)));
    return print_json(json);
  }
  std::string text;
  for (std::uint64_t i = 0; command.output.empty() && i < count; ++i)
    text += reference::to_text(values->at(i)) + "\n";
  return print(text);
}

Result<void> run(const ReduceCommand& command, Session& session) {
  if (auto ok = check_usage(command, session); !ok) return ok;
  const auto input = read_rows(command.input, command.dtype);
  if (!input) return pass_on(input);
  ReduceOptions options = command.options;
  options.format = *format_of(input->dtype());
  if (command.flags) return run_by_segments(command, *input, options, session);
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto rows = words_of(*input);
  const auto reduced = [&] {
    ProgressLine line;
    const auto show = [&](std::string_view stage, std::uint64_t part, std::uint64_t total) {
      line.update(stage, part, total);
    };
    if (!command.memory) return reduce(*device, rows, options, show);
    return reduce_in_pieces(*device, pieces_of(rows, options.format), options, *command.memory,
                            show);
  }();
  if (!reduced) return pass_on(reduced);
  if (command.is_verified) {
    auto ok = reference::check_reduction(rows, options.op.kind, reduced->value);
    if (!ok) return ok;
  }
  if (!session.is_json) return print(reference::to_text(reduced->value) + "\n");
  Json json = to_json(*reduced, *device, session, command.is_verified);
  json["value"] = to_json(reduced->value);
  return print_json(json);
}

}  // namespace

Verb add_reduce(CLI::App& verb) {
  auto command = std::make_shared<ReduceCommand>();
  verb.add_option("IN", command->input, "A .npy file, a raw file with --dtype, or - for stdin")
      ->required();
  verb.add_option("--dtype", command->dtype, "IN is raw little-endian of this type")
      ->type_name(row_type_names());
  add_operator(verb, command->options.op.kind);
  auto* const segments =
      verb.add_option("--segments", command->flags,
                      "One value a segment: a flag a row, nonzero where one starts: .npy of bool "
                      "or integers, else raw uint32")
          ->type_name("FLAGS");
  verb.add_option("-o,--output", command->output,
                  "Where the values of segments go: .npy if it ends so, else raw; - for stdout in "
                  "IN's format; printed, one a line, where this is left out")
      ->type_name("OUT")
      ->needs(segments);
  add_path(verb, command->options.path);
  add_subgroups(verb, command->options.subgroups);
  add_memory(verb, command->memory);
  verb.add_flag("--verify", command->is_verified,
                "Check the value on the CPU: exactly, a float32 sum within an error bound");
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
