// A benchmark of the scan within one workgroup: portable kernels against subgroup kernels, without
// the traffic of rows. Called by `wgprim bench workgroup-scan`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wgprim/distribution.hpp"
#include "wgprim/native.hpp"
#include "wgprim/ops.hpp"

namespace wgprim {

struct WorkgroupScanOptions {
  std::uint32_t workgroups = 4096;
  std::uint32_t rounds = 32;      ///< Scans of each workgroup, one after the other, a dispatch.
  std::uint32_t dispatches = 10;  ///< Of one iteration, timed together.
  std::uint32_t warmup = 5;       ///< Iterations that are not counted.
  std::uint32_t measured = 30;    ///< Iterations that are.
  ScanMode mode = ScanMode::exclusive;
  std::uint32_t workgroup_size = 256;  ///< 256 or 512.
};

/// What times an iteration: timestamps of the device, or where it has none the host's clock, from
/// the submit to the end of the work, which contains what submitting and waiting cost.
enum class BenchmarkClock { device, host };

/// One way to scan a workgroup. Nothing is timed where it is not supported.
struct WorkgroupScanTimes {
  std::string implementation;  ///< "portable" or "subgroups".
  bool is_supported = true;
  std::uint32_t barriers_a_round = 0;
  std::optional<Distribution> dispatch_ns = {};  ///< Time of a dispatch, by the report's clock.
  std::optional<Distribution> encode_ns = {};    ///< The host's time to record a dispatch.
  /// Scanned in all rounds, by the median of dispatch_ns.
  std::optional<double> elements_per_second = {};
  std::uint32_t dropped = 0;  ///< Iterations without a usable pair of timestamps.
};

struct WorkgroupScanReport {
  std::uint32_t checksum = 0;  ///< Of every workgroup, in every implementation.
  BenchmarkClock clock = BenchmarkClock::device;
  double clock_step_ns = 0;  ///< What the times of all iterations are whole numbers of.
  std::vector<WorkgroupScanTimes> implementations;
};

/// Hears how many iterations, of warm-up and measured, are done of how many.
using IterationSink = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// The iteration as a plan: `dispatches` dispatches that write a checksum a workgroup to the import
/// "checksums". Errors: a count of 0, more than 10^6 rounds, 10^4 dispatches, 10^5 iterations of a
/// kind or 2^30 workgroups x rounds x dispatches, another mode or workgroup size
/// (invalid_argument); a workgroup wider than the device's, or more workgroups than it dispatches
/// (limit_exceeded).
Result<Plan> plan_workgroup_scan(const WorkgroupScanOptions& options, bool uses_subgroups,
                                 const Limits& limits);

/// Runs both implementations in turn, the order alternating, as many iterations a submit as make a
/// fifth of a second, and checks the checksum of every workgroup after the warm-up and at the end.
/// Errors: those of plan_workgroup_scan and of the device; a wrong checksum (verification_failed);
/// a clock that times no iteration (unsupported).
Result<WorkgroupScanReport> benchmark_workgroup_scan(Device& device,
                                                     const WorkgroupScanOptions& options = {},
                                                     const IterationSink& progress = {});

}  // namespace wgprim
