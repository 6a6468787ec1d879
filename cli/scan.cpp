// wgprim scan IN -o OUT: prefix sums of a file or stream, checked on request.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "io/array_file.hpp"
#include "io/output_file.hpp"
#include "progress.hpp"
#include "reference/scan_checker.hpp"
#include "scan_options.hpp"
#include "verbs.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::cli {
namespace {

constexpr std::array kAccepted = {io::DataType::uint32, io::DataType::int32};

/// As many rows as one operation takes, which the plan would refuse only once all are in memory.
constexpr std::uint64_t kMostBytes = std::uint64_t{std::numeric_limits<std::uint32_t>::max()} * 4;

struct ScanCommand {
  std::string input;
  std::string output;
  std::string dtype;
  ScanOptions options;
  bool is_verified = false;
};

Result<io::ArrayFile> read_input(const ScanCommand& command) {
  io::ReadOptions options{.accepted = kAccepted, .most_streamed_bytes = kMostBytes};
  if (!command.dtype.empty()) {
    options.raw_dtype = io::data_type_from_name(command.dtype);
    if (!options.raw_dtype) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("There is no data type '{}'; {}.", command.dtype,
                              io::describe_accepted(kAccepted)));
    }
  }
  return io::read_array(command.input, options);
}

Json to_json(const ScanReport& report, const Device& device, const ScanCommand& command,
             const Session& session) {
  Json json = {{"adapter", device.adapter().name},
               {"backend", device.adapter().backend},
               {"path", report.path},
               {"reason", report.reason},
               {"subgroups", report.uses_subgroups},
               {"rows", report.rows},
               {"dispatches", report.dispatches},
               {"bytes_read", report.bytes_read},
               {"bytes_written", report.bytes_written},
               {"scratch_bytes", report.scratch_bytes},
               {"gpu_ms", nullptr},
               {"wall_ms", session.wall_ms()},
               {"verified", nullptr},
               {"deterministic", report.is_deterministic}};
  if (report.gpu_ns) json["gpu_ms"] = *report.gpu_ns / 1e6;
  if (command.is_verified) json["verified"] = true;
  return json;
}

std::string to_sentence(const ScanReport& report, const Device& device, const ScanCommand& command,
                        const Session& session) {
  return fmt::format(
      "{} rows scanned ({}) on {}: path {}, {} dispatch{}{}, {:.0f} ms in all{}.",
      grouped(report.rows), to_string(command.options.mode), device.adapter().name, report.path,
      report.dispatches, report.dispatches == 1 ? "" : "es",
      report.gpu_ns ? fmt::format(", {:.3f} ms on the device", *report.gpu_ns / 1e6) : "",
      session.wall_ms(), command.is_verified ? "; every row verified" : "");
}

/// Scans and writes piece by piece: the result is never held whole on the host.
Result<ScanReport> scan_to_file(Device& device, const io::ArrayFile& input,
                                const ScanCommand& command, io::OutputFile& output) {
  const auto rows = input.view().as<std::uint32_t>();  // int32 wraps bit for bit like uint32.
  reference::ScanChecker<> checker(command.options.mode);
  std::uint64_t done = 0;
  const auto take = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    if (command.is_verified) {
      if (auto ok = checker.check(rows.subspan(done, piece.size()), piece); !ok) return ok;
    }
    done += piece.size();
    return output.write(std::as_bytes(piece));
  };
  ProgressLine line;
  const auto show = [&](std::string_view stage, std::uint64_t part, std::uint64_t total) {
    line.update(stage, part, total);
  };
  return scan(device, rows, take, command.options, show);
}

Result<void> run(const ScanCommand& command, Session& session) {
  if (session.is_json && io::is_standard_output(command.output)) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("--json and -o {} both want stdout.", command.output));
  }
  const auto input = read_input(command);
  if (!input) return pass_on(input);
  auto output = io::OutputFile::create(command.output);
  if (!output) return pass_on(output);
  const auto format = io::format_for_output(command.output, input->format());
  const auto reserved = io::reserve_array(*output, format, input->dtype(), input->rows());
  if (!reserved) return reserved;
  auto device = session.open_device();
  if (!device) return pass_on(device);

  const auto written = [&]() -> Result<ScanReport> {
    const auto header = io::write_array_header(*output, format, input->dtype(), input->rows());
    if (!header) return pass_on(header);
    auto report = scan_to_file(*device, *input, command, *output);
    if (!report) return report;
    if (auto ok = output->commit(); !ok) return pass_on(ok);
    return report;
  }();
  if (!written) {
    if (output->is_pipe_closed()) return {};  // The reader has had enough: end quietly.
    return pass_on(written);
  }
  if (session.is_json) return print_json(to_json(*written, *device, command, session));
  const std::string sentence = to_sentence(*written, *device, command, session) + "\n";
  if (!io::is_standard_output(command.output)) return print(sentence);
  std::fputs(sentence.c_str(), stderr);
  return {};
}

}  // namespace

Verb add_scan(CLI::App& verb) {
  auto command = std::make_shared<ScanCommand>();
  verb.add_option("IN", command->input, "A .npy file, a raw file with --dtype, or - for stdin")
      ->required();
  verb.add_option("-o,--output", command->output,
                  "Where the sums go: .npy if it ends so, else raw; - for stdout in IN's format; "
                  "may be IN, which is replaced at the end")
      ->required()
      ->type_name("OUT");
  verb.add_option("--dtype", command->dtype, "IN is raw little-endian uint32 or int32")
      ->type_name("TYPE");
  add_scan_mode(verb, command->options);
  add_scan_options(verb, command->options);
  verb.add_flag("--verify", command->is_verified, "Check every row on the CPU; exact");
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
