// The hand-made plan of the workgroup-scan benchmark.
#include <algorithm>

#include "wgprim/detail/text.hpp"
#include "wgprim/workgroup_scan_benchmark.hpp"

namespace wgprim {
namespace {

Result<void> check(const WorkgroupScanOptions& options, const Limits& limits) {
  for (const auto& [name, count] : {std::pair("workgroups", options.workgroups),
                                    {"rounds", options.rounds},
                                    {"dispatches", options.dispatches},
                                    {"warm-up iterations", options.warmup},
                                    {"measured iterations", options.measured}}) {
    if (count > 0) continue;
    return fail(ErrorCode::invalid_argument,
                concat("The workgroup-scan benchmark takes at least 1 of the ", name, ", not 0."));
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

}  // namespace

Result<Plan> plan_workgroup_scan(const WorkgroupScanOptions& options, bool uses_subgroups,
                                 const Limits& limits) {
  if (auto ok = check(options, limits); !ok) return pass_on(ok);
  const auto wide = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(options.workgroups, limits.max_compute_workgroups_per_dimension));
  const std::uint32_t tall = (options.workgroups - 1) / wide + 1;
  if (tall > limits.max_compute_workgroups_per_dimension) {
    return fail(ErrorCode::limit_exceeded,
                concat(options.workgroups, " workgroups are more than ", wide, " by ", wide,
                       " (maxComputeWorkgroupsPerDimension)."));
  }
  const std::uint64_t bytes = 4 * std::uint64_t{options.workgroups};
  Plan plan;
  plan.kernels = {kernel_for(options, uses_subgroups)};
  plan.nodes = {{.id = "workgroup_scan", .operation = "compute", .uses_subgroups = uses_subgroups}};
  plan.buffers = {{.id = "checksums", .bytes = bytes, .usage = kUsageStorage}};
  plan.dispatches.assign(options.dispatches,
                         PlanDispatch{.label = plan.kernels[0].name,
                                      .bindings = {{1, 0, 0, bytes}},
                                      .parameters = {options.rounds, options.workgroups},
                                      .shape = {wide, tall, 1}});
  plan.passes = {PlanComputePass{0, options.dispatches}};
  return plan;
}

}  // namespace wgprim
