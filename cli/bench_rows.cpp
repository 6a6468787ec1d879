// wgprim bench scan, wgprim bench reduce: medians by size as a table or JSON. How they are timed is
// in bench/harness.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ranges>

#include "bench.hpp"
#include "bench/harness/row_bench.hpp"
#include "bench_report.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "rows.hpp"
#include "scan_options.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::cli {
namespace {

constexpr std::uint64_t kLargestExponent = 31;
constexpr std::uint64_t kMostSamples = 100'000;
constexpr std::uint64_t kMostOverLeast = 10;  ///< Samples taken until the median is known.

struct BenchRowsCommand {
  bool is_reduction = false;
  std::optional<std::string> sizes;
  std::uint64_t from = 16;
  std::uint64_t to = 22;
  std::string subgroups = "both";
  std::uint64_t samples = 30;
  std::string baselines = "copy";
  std::optional<double> density;
  ScanChoices choices;

  const Yardstick& yardstick() const { return is_reduction ? kReadYardstick : kCopyYardstick; }
};

/// "1000000" or "2^20".
Result<std::uint64_t> parse_size(std::string_view text) {
  const auto power = text.starts_with("2^") ? parse_number<std::uint64_t>(text.substr(2))
                                            : std::optional<std::uint64_t>();
  if (power && *power <= kLargestExponent) return std::uint64_t{1} << *power;
  const auto rows = parse_number<std::uint64_t>(text);
  if (rows && *rows > 0 && *rows <= kMaxRows) return *rows;
  return fail(
      ErrorCode::invalid_argument,
      fmt::format("Size '{}' is neither a number from 1 to {} nor a power from 2^0 to 2^{}.", text,
                  kMaxRows, kLargestExponent));
}

Result<void> check_samples(std::uint64_t samples) {
  if (samples > 0 && samples <= kMostSamples) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("--samples takes a number from 1 to {}, not {}.", kMostSamples, samples));
}

/// 2^from, ..., 2^to.
Result<std::vector<std::uint64_t>> powers_of_two(std::uint64_t from, std::uint64_t to) {
  const auto refuse = [](std::string sentence) {
    return fail(ErrorCode::invalid_argument, std::move(sentence));
  };
  if (to > kLargestExponent) {
    return refuse(fmt::format("Sizes go up to 2^{}, not 2^{}.", kLargestExponent, to));
  }
  if (from > to) {
    return refuse(fmt::format("There are no sizes from 2^{} up to 2^{}.", from, to));
  }
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t exponent = from; exponent <= to; ++exponent)
    sizes.push_back(std::uint64_t{1} << exponent);
  return sizes;
}

Result<std::vector<std::uint64_t>> sizes_of(const BenchRowsCommand& command) {
  if (!command.sizes) return powers_of_two(command.from, command.to);
  if (command.sizes->empty()) return pass_on(parse_size(""));
  std::vector<std::uint64_t> sizes;
  for (const auto& text : std::views::split(*command.sizes, ',')) {
    const auto size = parse_size(std::string_view(text));
    if (!size) return pass_on(size);
    if (std::ranges::find(sizes, *size) != sizes.end()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("--sizes names {} rows twice.", grouped(*size)));
    }
    sizes.push_back(*size);
  }
  return sizes;
}

Result<void> check_density(const std::optional<double>& density) {
  if (!density || (*density >= 0 && *density <= 1)) return {};
  return fail(ErrorCode::invalid_argument,
              fmt::format("--segments takes the share of rows that start a segment, from 0 to 1, "
                          "not {}.",
                          *density));
}

std::vector<Subgroups> subgroups_of(const std::string& word, const Capabilities& capabilities) {
  if (word == "auto") return {Subgroups::automatic};
  if (word == "on") return {Subgroups::on};
  if (word == "off" || !capabilities.subgroups) return {Subgroups::off};
  return {Subgroups::off, Subgroups::on};
}

bench::RowBenchOptions bench_options(const BenchRowsCommand& command, const ScanOptions& rows,
                                     const Device& device, const Capabilities& capabilities) {
  bench::RowBenchOptions options{.is_reduction = command.is_reduction,
                                 .rows = rows,
                                 .segment_density = command.density.value_or(0),
                                 .subgroups = subgroups_of(command.subgroups, capabilities),
                                 .has_all_baselines = command.baselines == "all",
                                 .measure = {}};
  options.rows.is_segmented = command.density.has_value();
  options.measure.samples = command.samples;
  options.measure.most_samples = kMostOverLeast * command.samples;
  if (device.adapter().is_software) {  // No clocks to raise, and a turn may take seconds.
    options.measure.most_samples = command.samples;
    options.measure.warm_up = std::chrono::milliseconds(100);
    options.measure.has_lead_turn = false;
  }
  return options;
}

/// What the device lacks, if a choice that was left to us depends on it.
std::string remarks_on(const BenchRowsCommand& command, const Device& device,
                       const Capabilities& capabilities) {
  std::string remarks = bench_remarks(device, capabilities.timestamps);
  if (command.subgroups == "both" && !capabilities.subgroups) {
    remarks += "The device has no subgroup operations: only portable kernels are timed.\n";
  }
  return remarks;
}

/// "exclusive scan", "inclusive, max, reverse scan of int64", "reduction, min".
std::string operation_text(const bench::RowBenchOptions& options) {
  std::string text = options.is_reduction ? "reduction" : describe(options.rows) + " scan";
  if (options.is_reduction && options.rows.op.kind != OperatorKind::sum)
    text += fmt::format(", {}", to_string(options.rows.op.kind));
  if (options.rows.format != Format::uint32)
    text += fmt::format(" of {}", to_string(options.rows.format));
  return text;
}

Json report_head(const Device& device, bool has_timestamps, const bench::RowBenchOptions& options) {
  Json report = bench_machine(device);
  report["clock"] = bench_clock(has_timestamps);
  report["operation"] = options.is_reduction ? "reduce" : "scan";
  report["op"] = to_string(options.rows.op.kind);
  report["dtype"] = to_string(options.rows.format);
  if (!options.is_reduction) {
    report["mode"] = to_string(options.rows.mode);
    report["reverse"] = options.rows.is_reverse;
    report["segments"] = nullptr;
    if (options.rows.is_segmented) report["segments"] = options.segment_density;
  }
  report["sizes"] = Json::array();
  return report;
}

/// On a terminal a line below the table shows how far the size has come; gone when this returns.
Result<bench::RowBenchResult> bench_size(Device& device, std::uint64_t rows,
                                         bench::RowBenchOptions options) {
  ProgressLine line(ProgressLine::Unit::others);
  options.measure.progress = [&](std::size_t done, std::size_t most) {
    line.update(grouped(rows) + " rows", done, most);
  };
  return bench::bench_rows(device, rows, options);
}

Result<void> run(const BenchRowsCommand& command, Session& session) {
  const auto sizes = sizes_of(command);
  if (!sizes) return pass_on(sizes);
  if (auto ok = check_samples(command.samples); !ok) return ok;
  if (auto ok = check_density(command.density); !ok) return ok;
  const auto rows_options = command.choices.options_without_file();
  if (!rows_options) return pass_on(rows_options);
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto profile = device->profile();
  if (!profile) return pass_on(profile);
  const auto options = bench_options(command, *rows_options, *device, profile->capabilities);
  const std::string remarks = remarks_on(command, *device, profile->capabilities);
  const std::string title = bench_title(operation_text(options), *device);
  Json report = report_head(*device, profile->capabilities.timestamps, options);
  for (const std::uint64_t rows : *sizes) {
    const auto result = bench_size(*device, rows, options);
    if (!result) return pass_on(result);
    const std::string head =
        report["sizes"].empty() ? title + remarks + table_head(command.yardstick()) : "";
    report["sizes"].push_back(size_json(*result));
    if (session.is_json) continue;
    const std::string lines = table_rows(report["sizes"].back(), command.yardstick());
    if (auto ok = print(head + lines); !ok) return ok;
  }
  report["remarks"] = remarks + sample_remark(fewest_samples(report["sizes"]));
  return session.is_json ? print_json(report)
                         : print(table_foot(report["sizes"], command.yardstick()));
}

void add_sizes(CLI::App& operation, const std::shared_ptr<BenchRowsCommand>& command) {
  auto* sizes = operation.add_option_function<std::string>(
      "--sizes", [command](const std::string& text) { command->sizes = text; },
      "Rows, for example 2^16,1000000");
  sizes->type_name("N,N,...");
  operation.add_option("--from", command->from, "Smallest size, as a power of two (default 16)")
      ->check(whole_number())
      ->type_name("EXPONENT")
      ->excludes(sizes);
  operation.add_option("--to", command->to, "Largest size, as a power of two (default 22)")
      ->check(whole_number())
      ->type_name("EXPONENT")
      ->excludes(sizes);
}

/// How an operation is timed, beside what.
void add_timing(CLI::App& operation, BenchRowsCommand& command, const std::string& baselines) {
  operation
      .add_option(
          "--samples", command.samples,
          "Timed samples of each variant (default 30); on a GPU at least so many, up to ten "
          "times as many until the median is known to 1 %, after a second of warm-up; on a CPU so "
          "many, after a tenth")
      ->check(whole_number())
      ->type_name("N");
  operation.add_option("--baselines", command.baselines, baselines)
      ->check(one_of({"copy", "all"}))
      ->type_name("copy|all");
  operation.add_option("--subgroups", command.subgroups, "Kernels timed (default both)")
      ->check(one_of({"auto", "on", "off", "both"}))
      ->type_name("auto|on|off|both");
  operation.add_option("--dtype", command.choices.dtype, "What the rows are (default uint32)")
      ->type_name(row_type_names());
  add_path(operation, command.choices.options.path);
}

}  // namespace

Verb add_bench_scan(CLI::App& operation) {
  auto command = std::make_shared<BenchRowsCommand>();
  add_sizes(operation, command);
  add_timing(operation, *command,
             "Beside the scan: a copy of the same array (default), or also other traffic; a share "
             "of copy is the copy's time over the scan's");
  add_scan_mode(operation, command->choices.options);
  add_scan_operator(operation, command->choices);
  operation
      .add_option("--segments", command->density,
                  "With segments, which start at so many of the rows: 0.01 is one in a hundred")
      ->type_name("DENSITY");
  return [command](Session& session) { return run(*command, session); };
}

Verb add_bench_reduce(CLI::App& operation) {
  auto command = std::make_shared<BenchRowsCommand>();
  command->is_reduction = true;
  add_sizes(operation, command);
  add_timing(operation, *command,
             "Beside the reduction: a copy and a kernel that only reads (default), or also two "
             "reads and one write; a share of read is the reading kernel's time over the "
             "reduction's");
  add_operator(operation, command->choices.options.op.kind);
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
