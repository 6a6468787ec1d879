// The hand-made plan of the workgroup-scan benchmark.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>

#include "wgprim/detail/text.hpp"
#include "wgprim/workgroup_scan_benchmark.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kMostWorkgroups = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostRounds = 1'000'000;
constexpr std::uint64_t kMostDispatches = 10'000;
constexpr std::uint64_t kMostIterations = 100'000;

/// Workgroups x rounds x dispatches: seconds on a fast GPU.
constexpr std::uint64_t kMostScansOfAnIteration = std::uint64_t{1} << 30;

Result<void> check_counts(const WorkgroupScanOptions& options) {
  for (const auto& [name, count, most] : {
           std::tuple("workgroups", options.workgroups, kMostWorkgroups),
           {"rounds", options.rounds, kMostRounds},
           {"dispatches", options.dispatches, kMostDispatches},
           {"warm-up iterations", options.warmup, kMostIterations},
           {"measured iterations", options.measured, kMostIterations},
       }) {
    if (count > 0 && count <= most) continue;
    return fail(ErrorCode::invalid_argument,
                concat("The number of ", name, " must be from 1 to ", most, ", not ", count, "."));
  }
  // All three together may be beyond 64 bits.
  const std::uint64_t scans = std::uint64_t{options.workgroups} * options.rounds;
  if (scans <= kMostScansOfAnIteration / options.dispatches) return {};
  return fail(ErrorCode::invalid_argument,
              concat(options.workgroups, " workgroups x ", options.rounds, " rounds x ",
                     options.dispatches, " dispatches are above the ", kMostScansOfAnIteration,
                     " scans that an iteration may hold."));
}

Result<void> check(const WorkgroupScanOptions& options, const Limits& limits) {
  if (auto ok = check_counts(options); !ok) return ok;
  if (options.mode != ScanMode::exclusive && options.mode != ScanMode::inclusive) {
    return fail(ErrorCode::invalid_argument,
                concat("The mode is ScanMode::exclusive or ScanMode::inclusive, not number ",
                       static_cast<int>(options.mode), "."));
  }
  if (options.workgroup_size != 256 && options.workgroup_size != 512) {
    return fail(ErrorCode::invalid_argument,
                concat("The workgroup size is 256 or 512, not ", options.workgroup_size, "."));
  }
  const std::uint64_t widest =
      std::min(limits.max_compute_invocations_per_workgroup, limits.max_compute_workgroup_size_x);
  if (options.workgroup_size <= widest) return {};
  return fail(ErrorCode::limit_exceeded,
              concat("Workgroups of ", options.workgroup_size, " are wider than the device's ",
                     widest, " (maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX)."));
}

PlanKernel kernel_for(const WorkgroupScanOptions& options, bool uses_subgroups) {
  PlanKernel kernel{.name = "workgroup_scan_benchmark",
                    .constants = {{"WORKGROUP_WIDTH", options.workgroup_size},
                                  {"IS_INCLUSIVE", options.mode == ScanMode::inclusive ? 1u : 0u}},
                    .bindings = {{0, Access::parameters}, {1, Access::storage_read_write}},
                    .uses_subgroups = uses_subgroups};
  if (uses_subgroups) {
    kernel.name += "_subgroup";
    kernel.slots = {{"subgroup_operator", "op_add_subgroup"}, {"operator", "op_add"}};
  }
  return kernel;
}

/// As wide as the limit allows, then as tall, then as deep.
Result<Shape> folded(std::uint64_t workgroups, std::uint64_t limit) {
  Shape shape = {1, 1, 1};
  std::uint64_t left = workgroups;
  for (std::uint32_t& count : shape) {
    count = static_cast<std::uint32_t>(std::min(left, limit));
    left = (left - 1) / count + 1;
  }
  if (left == 1) return shape;
  return fail(ErrorCode::limit_exceeded,
              concat(workgroups, " workgroups are more than a dispatch may have, ", limit,
                     " in each of three dimensions (maxComputeWorkgroupsPerDimension)."));
}

}  // namespace

Result<Plan> plan_workgroup_scan(const WorkgroupScanOptions& options, bool uses_subgroups,
                                 const Limits& limits) {
  if (auto ok = check(options, limits); !ok) return pass_on(ok);
  const auto shape = folded(options.workgroups, limits.max_compute_workgroups_per_dimension);
  if (!shape) return pass_on(shape);
  const std::uint64_t bytes = 4 * std::uint64_t{options.workgroups};
  Plan plan;
  plan.kernels = {kernel_for(options, uses_subgroups)};
  plan.nodes = {{.id = "workgroup_scan", .operation = "compute", .uses_subgroups = uses_subgroups}};
  plan.buffers = {{.id = "checksums", .bytes = bytes, .usage = kUsageStorage}};
  const std::uint64_t launched = std::uint64_t{(*shape)[0]} * (*shape)[1] * (*shape)[2];
  const Workload workload{.workgroups = launched,
                          .invocations = launched * options.workgroup_size,
                          .bytes_written = bytes};
  plan.dispatches.assign(options.dispatches,
                         PlanDispatch{.label = plan.kernels[0].name,
                                      .bindings = {{1, 0, 0, bytes}},
                                      .parameters = {options.rounds, options.workgroups},
                                      .shape = *shape,
                                      .workload = workload});
  plan.workload = {.workgroups = workload.workgroups * options.dispatches,
                   .invocations = workload.invocations * options.dispatches,
                   .bytes_written = workload.bytes_written * options.dispatches};
  plan.passes = {PlanComputePass{0, options.dispatches}};
  return plan;
}

}  // namespace wgprim
