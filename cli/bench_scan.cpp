// wgprim bench scan: medians by size as a table or JSON. How it is timed is in bench/harness.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>

#include "bench.hpp"
#include "bench/harness/scan_bench.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "scan_options.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::cli {
namespace {

using bench::ScanBenchResult;

constexpr std::uint64_t kLargestExponent = 31;
constexpr std::uint64_t kMostSamples = 100'000;
constexpr std::uint64_t kMostOverLeast = 10;  ///< Samples taken until the median is known.

struct BenchScanCommand {
  std::optional<std::string> sizes;
  std::uint64_t from = 16;
  std::uint64_t to = 22;
  std::string subgroups = "both";
  std::uint64_t samples = 30;
  std::string baselines = "copy";
  ScanOptions options;
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

Result<std::vector<std::uint64_t>> sizes_of(const BenchScanCommand& command) {
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

std::vector<Subgroups> subgroups_of(const std::string& word, const Capabilities& capabilities) {
  if (word == "auto") return {Subgroups::automatic};
  if (word == "on") return {Subgroups::on};
  if (word == "off" || !capabilities.subgroups) return {Subgroups::off};
  return {Subgroups::off, Subgroups::on};
}

bench::ScanBenchOptions bench_options(const BenchScanCommand& command, const Device& device,
                                      const Capabilities& capabilities) {
  bench::ScanBenchOptions options{.mode = command.options.mode,
                                  .path = command.options.path,
                                  .subgroups = subgroups_of(command.subgroups, capabilities),
                                  .has_all_baselines = command.baselines == "all",
                                  .measure = {}};
  options.measure.samples = command.samples;
  options.measure.most_samples = kMostOverLeast * command.samples;
  if (device.adapter().is_software) {  // No clocks to raise, and a turn may take seconds.
    options.measure.most_samples = command.samples;
    options.measure.warm_up = std::chrono::milliseconds(100);
    options.measure.has_lead_turn = false;
  }
  return options;
}

Json result_json(const bench::BenchedVariant& variant, const bench::VariantTimes& times,
                 double copy_ns) {
  const Distribution& ns = times.nanoseconds;
  Json json = {{"name", variant.name},
               {"samples", times.samples},
               {"dropped", times.dropped},
               {"min_us", ns.min / 1e3},
               {"median_us", ns.median / 1e3},
               {"p95_us", ns.p95 / 1e3},
               {"max_us", ns.max / 1e3},
               {"spread", nullptr},
               {"dispatches", variant.dispatches},
               {"bytes", variant.bytes},
               {"gigabytes_per_second", static_cast<double>(variant.bytes) / ns.median},
               {"share_of_copy", copy_ns / ns.median}};
  if (std::isfinite(times.spread)) json["spread"] = times.spread;
  return json;
}

Json size_json(const ScanBenchResult& result) {
  Json results = Json::array();
  const auto& times = result.measurement.variants;
  for (std::size_t i = 0; i < times.size(); ++i)
    results.push_back(result_json(result.variants[i], times[i], times[0].nanoseconds.median));
  return {{"rows", result.rows},
          {"clock_step_ns", result.measurement.clock_step_ns},
          {"batch", result.measurement.batch},
          {"is_clock_too_coarse", result.measurement.is_clock_too_coarse},
          {"results", std::move(results)}};
}

std::string table_head() {
  return fmt::format("{:>13}  {:<22} {:>11} {:>7} {:>11} {:>9} {:>8} {:>8} {:>8}\n", "rows",
                     "variant", "median us", "+-", "p95 us", "GB/s", "of copy", "samples",
                     "dropped");
}

/// Of a share; "-" where there is none.
std::string percentage(const Json& share) {
  return share.is_null() ? "-" : figure(100 * share.get<double>(), 1) + " %";
}

std::string table_rows(const Json& size) {
  std::string text;
  for (const Json& result : size["results"]) {
    const auto cell = [&](const char* key, int decimals) {
      return figure(result[key].get<double>(), decimals);
    };
    text +=
        fmt::format("{:>13}  {:<22} {:>11} {:>7} {:>11} {:>9} {:>8} {:>8} {:>8}\n",
                    grouped(size["rows"].get<std::uint64_t>()), result["name"].get<std::string>(),
                    cell("median_us", 2), percentage(result["spread"]), cell("p95_us", 2),
                    cell("gigabytes_per_second", 1), cell("share_of_copy", 2),
                    result["samples"].get<std::uint64_t>(), result["dropped"].get<std::uint64_t>());
  }
  const auto batch = size["batch"].get<std::uint64_t>();
  const bool is_too_coarse = size["is_clock_too_coarse"].get<bool>();
  if (batch == 1 && !is_too_coarse) return text;
  return text + fmt::format("{:>13}  a sample is {} runs{}: the clock steps by {:.0f} ns\n", "",
                            batch, is_too_coarse ? " and still too short" : "",
                            size["clock_step_ns"].get<double>());
}

/// The finest step seen: each size only bounds it from above.
double finest_step(const Json& sizes) {
  double step = std::numeric_limits<double>::infinity();
  for (const Json& size : sizes)
    step = std::min(step, size["clock_step_ns"].get<double>());
  return step;
}

std::uint64_t fewest_samples(const Json& sizes) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const Json& size : sizes) {
    for (const Json& result : size["results"])
      fewest = std::min(fewest, result["samples"].get<std::uint64_t>());
  }
  return fewest;
}

std::string table_foot(const Json& report) {
  return fmt::format(
      "+- is half the median's 95 % interval; of copy is the copy's time over the variant's. Every "
      "result was checked before and after timing. The clock steps by {:.0f} ns. Below 2^23 rows "
      "caches decide.\n{}",
      finest_step(report["sizes"]), sample_remark(fewest_samples(report["sizes"])));
}

/// What the device lacks, if a choice that was left to us depends on it.
std::string remarks_on(const BenchScanCommand& command, const Device& device,
                       const Capabilities& capabilities) {
  std::string remarks = bench_remarks(device, capabilities.timestamps);
  if (command.subgroups == "both" && !capabilities.subgroups) {
    remarks += "The device has no subgroup operations: only portable kernels are timed.\n";
  }
  return remarks;
}

Json report_head(const Device& device, bool has_timestamps, ScanMode mode) {
  Json report = bench_machine(device);
  report["clock"] = bench_clock(has_timestamps);
  report["mode"] = to_string(mode);
  report["sizes"] = Json::array();
  return report;
}

/// On a terminal a line below the table shows how far the size has come; gone when this returns.
Result<ScanBenchResult> bench_size(Device& device, std::uint64_t rows,
                                   bench::ScanBenchOptions options) {
  ProgressLine line(ProgressLine::Unit::others);
  options.measure.progress = [&](std::size_t done, std::size_t most) {
    line.update(grouped(rows) + " rows", done, most);
  };
  return bench::bench_scan(device, rows, options);
}

Result<void> run(const BenchScanCommand& command, Session& session) {
  const auto sizes = sizes_of(command);
  if (!sizes) return pass_on(sizes);
  if (auto ok = check_samples(command.samples); !ok) return ok;
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto profile = device->profile();
  if (!profile) return pass_on(profile);
  const auto options = bench_options(command, *device, profile->capabilities);
  const std::string remarks = remarks_on(command, *device, profile->capabilities);
  const std::string title = bench_title(fmt::format("{} scan", to_string(options.mode)), *device);
  Json report = report_head(*device, profile->capabilities.timestamps, options.mode);
  for (const std::uint64_t rows : *sizes) {
    const auto result = bench_size(*device, rows, options);
    if (!result) return pass_on(result);
    const std::string head = report["sizes"].empty() ? title + remarks + table_head() : "";
    report["sizes"].push_back(size_json(*result));
    if (session.is_json) continue;
    if (auto ok = print(head + table_rows(report["sizes"].back())); !ok) return ok;
  }
  report["remarks"] = remarks + sample_remark(fewest_samples(report["sizes"]));
  return session.is_json ? print_json(report) : print(table_foot(report));
}

}  // namespace

Verb add_bench_scan(CLI::App& operation) {
  auto command = std::make_shared<BenchScanCommand>();
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
  operation
      .add_option(
          "--samples", command->samples,
          "Timed samples of each variant (default 30); on a GPU at least so many, up to ten "
          "times as many until the median is known to 1 %, after a second of warm-up; on a CPU so "
          "many, after a tenth")
      ->check(whole_number())
      ->type_name("N");
  operation
      .add_option("--baselines", command->baselines,
                  "Beside the scan: a copy of the same array (default), or also other traffic; a "
                  "share of copy is the copy's time over the scan's")
      ->check(one_of({"copy", "all"}))
      ->type_name("copy|all");
  operation.add_option("--subgroups", command->subgroups, "Kernels timed (default both)")
      ->check(one_of({"auto", "on", "off", "both"}))
      ->type_name("auto|on|off|both");
  add_scan_mode(operation, command->options);
  add_scan_path(operation, command->options);
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
