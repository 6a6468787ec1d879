// wgprim bench workgroup-scan: the scan within a workgroup, portable against subgroups.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "bench.hpp"
#include "bench/harness/measure.hpp"
#include "option_values.hpp"
#include "progress.hpp"
#include "wgprim/workgroup_scan_benchmark.hpp"

namespace wgprim::cli {
namespace {

Json distribution_json(const std::optional<Distribution>& ns) {
  if (!ns) return nullptr;
  return {{"min", ns->min / 1e3},
          {"median", ns->median / 1e3},
          {"p95", ns->p95 / 1e3},
          {"max", ns->max / 1e3}};
}

Json times_json(const WorkgroupScanTimes& times) {
  Json json = {{"implementation", times.implementation},
               {"supported", times.is_supported},
               {"barriers_per_round", times.barriers_a_round},
               {"dispatch_us", distribution_json(times.dispatch_ns)},
               {"encode_us", distribution_json(times.encode_ns)},
               {"elements_per_second", nullptr},
               {"dropped", times.dropped}};
  if (times.elements_per_second) json["elements_per_second"] = *times.elements_per_second;
  return json;
}

std::string cell(const Json& distribution, const char* key) {
  return distribution.is_null() ? "-" : figure(distribution[key].get<double>(), 2);
}

std::string to_text(const Json& report) {
  std::string text = fmt::format("{:<12} {:>9} {:>12} {:>11} {:>13} {:>14}\n", "kernel", "barriers",
                                 "median us", "p95 us", "encode us", "G elements/s");
  for (const Json& times : report["implementations"]) {
    const Json& rate = times["elements_per_second"];
    text += fmt::format(
        "{:<12} {:>9} {:>12} {:>11} {:>13} {:>14}\n", times["implementation"].get<std::string>(),
        times["barriers_per_round"].get<int>(), cell(times["dispatch_us"], "median"),
        cell(times["dispatch_us"], "p95"), cell(times["encode_us"], "median"),
        rate.is_null() ? "-" : figure(rate.get<double>() / 1e9, 2));
  }
  return text + fmt::format(
                    "Times are of one dispatch; every workgroup ends with checksum {}. The clock "
                    "steps by {:.0f} ns.\n",
                    report["checksum"].get<std::uint32_t>(), report["clock_step_ns"].get<double>());
}

/// Whether an iteration of the fastest implementation lasts too few steps of the clock.
bool is_clock_too_coarse(const WorkgroupScanReport& report, std::uint32_t dispatches) {
  return std::ranges::any_of(report.implementations, [&](const WorkgroupScanTimes& times) {
    return times.dispatch_ns &&
           times.dispatch_ns->median * dispatches < bench::kFewestSteps * report.clock_step_ns;
  });
}

/// Of the implementation that dropped most.
std::uint32_t fewest_samples(const WorkgroupScanReport& report, std::uint32_t measured) {
  std::uint32_t dropped = 0;
  for (const WorkgroupScanTimes& times : report.implementations)
    dropped = std::max(dropped, times.dropped);
  return measured - dropped;
}

std::string remarks_on(const WorkgroupScanReport& report, const WorkgroupScanOptions& options,
                       const Device& device) {
  std::string remarks = bench_remarks(device, report.clock == BenchmarkClock::device);
  if (is_clock_too_coarse(report, options.dispatches)) {
    remarks += fmt::format(
        "An iteration lasts less than {:.0f} steps of the clock ({:.0f} ns each): ask for more "
        "--dispatches or --rounds.\n",
        bench::kFewestSteps, report.clock_step_ns);
  }
  if (!std::ranges::all_of(report.implementations, &WorkgroupScanTimes::is_supported)) {
    remarks += "The device has no subgroup operations: only the portable kernel is timed.\n";
  }
  return remarks + sample_remark(fewest_samples(report, options.measured));
}

Result<WorkgroupScanReport> measure(Device& device, const WorkgroupScanOptions& options) {
  ProgressLine line(ProgressLine::Unit::others);
  return benchmark_workgroup_scan(device, options, [&](std::uint64_t done, std::uint64_t total) {
    line.update("bench", done, total);
  });
}

Result<void> run(const WorkgroupScanOptions& options, Session& session) {
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto result = measure(*device, options);
  if (!result) return pass_on(result);
  const std::string remarks = remarks_on(*result, options, *device);
  Json report = bench_machine(*device);
  report["clock"] = bench_clock(result->clock == BenchmarkClock::device);
  report["clock_step_ns"] = result->clock_step_ns;
  report["remarks"] = remarks;
  report["workgroups"] = options.workgroups;
  report["workgroup_size"] = options.workgroup_size;
  report["rounds"] = options.rounds;
  report["dispatches"] = options.dispatches;
  report["warmup"] = options.warmup;
  report["measured"] = options.measured;
  report["mode"] = to_string(options.mode);
  report["checksum"] = result->checksum;
  report["implementations"] = Json::array();
  for (const WorkgroupScanTimes& times : result->implementations)
    report["implementations"].push_back(times_json(times));
  if (session.is_json) return print_json(report);
  return print(bench_title("workgroup scan", *device) + remarks + to_text(report));
}

}  // namespace

Verb add_bench_workgroup_scan(CLI::App& operation) {
  auto command = std::make_shared<WorkgroupScanOptions>();
  WorkgroupScanOptions& options = *command;
  const auto add_count = [&](const char* name, std::uint32_t& count, const std::string& help) {
    operation.add_option(name, count, fmt::format("{} (default {})", help, count))
        ->check(whole_number(std::numeric_limits<std::uint32_t>::max()))
        ->type_name("N");
  };
  add_count("--workgroups", options.workgroups, "Workgroups of a dispatch");
  add_count("--rounds", options.rounds, "Scans of each workgroup in a dispatch");
  add_count("--dispatches", options.dispatches, "Dispatches timed together");
  add_count("--warmup", options.warmup, "Iterations not counted");
  add_count("--measured", options.measured, "Iterations counted");
  add_count("--workgroup-size", options.workgroup_size, "Lanes of a workgroup, 256 or 512");
  add_choice<ScanMode>(operation, "--mode", options.mode,
                       {{"exclusive", ScanMode::exclusive}, {"inclusive", ScanMode::inclusive}},
                       "What each scan computes (default exclusive)");
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
