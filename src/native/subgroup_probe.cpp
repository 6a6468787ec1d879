// Runs one workgroup whose lanes report ten words each, and judges the report.
#include "native/subgroup_probe.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <mutex>

#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "native/buffer_state.hpp"
#include "native/device_state.hpp"
#include "native/executable_state.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

constexpr std::uint32_t kWordsPerLane = 10;
constexpr std::uint32_t kMaxSubgroupSize = 128;

static_assert(sizeof(LaneReport) == 4 * kWordsPerLane);

Result<Plan> probe_plan(std::uint32_t width) {
  auto kernel = kernels::specialise("probe_subgroups", {}, {{"WORKGROUP_WIDTH", width}});
  if (!kernel) return pass_on(kernel);
  const std::uint64_t bytes = std::uint64_t{width} * sizeof(LaneReport);
  Plan plan;
  plan.nodes = {{.id = "probe", .operation = "probe"}};
  plan.buffers = {{.id = "report", .bytes = bytes, .usage = kUsageStorage}};
  PlanDispatch dispatch{.label = kernel->name};
  for (const KernelBinding& binding : kernel->bindings) {
    dispatch.bindings.push_back({.binding = binding.binding, .buffer = 0, .bytes = bytes});
  }
  plan.kernels = {std::move(*kernel)};
  plan.dispatches = {std::move(dispatch)};
  plan.passes = {PlanComputePass{0, 1}};
  return plan;
}

Result<std::vector<LaneReport>> run_probe(Device& device, std::uint32_t width) {
  auto plan = probe_plan(width);
  if (!plan) return pass_on(plan);
  // Within the device's own limits: lowered ones, down to a few bytes, say nothing about subgroups.
  Device::State& state = *device.state();
  auto executable = Executable::State::create(device, std::move(*plan), state.device_limits);
  if (!executable) return pass_on(executable);
  std::vector<LaneReport> report(width);
  const std::uint64_t bytes = report.size() * sizeof(LaneReport);
  auto memory = create_buffer(state, bytes, to_webgpu_usage(kUsageStorage | kUsageCopySource),
                              "subgroup report", state.device_limits.max_buffer_size);
  if (!memory) return pass_on(memory);
  Buffer buffer = Buffer::State::create(device.state(), std::move(*memory));
  const Import import{"report", &buffer};
  const auto done = run(device, *executable, {.imports = {&import, 1}});
  if (!done) return pass_on(done);
  auto* next = reinterpret_cast<std::byte*>(report.data());
  const auto copied =
      device.download(buffer, 0, bytes, [&](std::span<const std::byte> piece) -> Result<void> {
        std::memcpy(next, piece.data(), piece.size());
        next += piece.size();
        return {};
      });
  if (!copied) return pass_on(copied);
  return report;
}

std::uint32_t sum_to(std::uint32_t n) { return n * (n + 1) / 2; }

/// The word of a vote for multiples of three, of `size` lanes, that this lane's bit is in.
std::uint32_t right_vote(std::uint32_t lane, std::uint32_t size) {
  const std::uint32_t first = lane / 32 * 32;
  std::uint32_t vote = 0;
  for (std::uint32_t bit = 0; bit < 32 && first + bit < size; ++bit)
    vote |= (first + bit) % 3 == 0 ? 1u << bit : 0;
  return vote;
}

/// The widest workgroup that the kernels use and the device allows; 0 where it is too narrow.
std::uint32_t probe_width(const Limits& limits) {
  const std::uint64_t most =
      std::min(limits.max_compute_invocations_per_workgroup, limits.max_compute_workgroup_size_x);
  if (most < kernels::kFewestLanes) return 0;
  return static_cast<std::uint32_t>(std::bit_floor(std::min(most, kernels::kMostLanes)));
}

Result<SubgroupProbe> probe_now(Device& device, std::uint32_t width) {
  const auto report = run_probe(device, width);
  if (!report) return pass_on(report);
  return judge(*report);
}

/// A probe that cannot run, on a device that lives, is a failed test: kernels with subgroup
/// operations would fare no better, and those without need not suffer.
Result<SubgroupProbe> judged_or_failed(Result<SubgroupProbe> probe) {
  if (probe || probe.error().code == ErrorCode::device_lost) return probe;
  return SubgroupProbe{.tests = {{"running the probe", false}}};
}

}  // namespace

SubgroupProbe judge(std::span<const LaneReport> report) {
  const std::uint32_t size = report[0].size;
  SubgroupProbe probe;
  probe.subgroup_size = size;
  const bool is_size_usable = std::has_single_bit(size) && size <= kMaxSubgroupSize;
  bool lanes = is_size_usable, inclusive = lanes, exclusive = lanes, total = lanes;
  bool up = lanes, across = lanes, shuffle = lanes, ballot = lanes;
  for (std::uint32_t i = 0; is_size_usable && i < report.size(); ++i) {
    const LaneReport& lane = report[i];
    const std::uint32_t before = sum_to(i / size * size);  // Of the subgroups before this one.
    lanes = lanes && lane.subgroup == i / size && lane.lane == i % size && lane.size == size;
    inclusive = inclusive && lane.inclusive == sum_to(i + 1) - before;
    exclusive = exclusive && lane.exclusive == sum_to(i) - before;
    total = total && lane.total == sum_to(i / size * size + size) - before;
    up = up && (lane.lane == 0 || lane.up == i);
    across = across && (size == 1 || lane.across == (i ^ 1u) + 1);
    shuffle = shuffle && lane.last == i / size * size + size;
    ballot = ballot && lane.vote == right_vote(i % size, size);
  }
  probe.tests = {{"subgroup lanes", lanes},           {"subgroupInclusiveAdd", inclusive},
                 {"subgroupExclusiveAdd", exclusive}, {"subgroupAdd", total},
                 {"subgroupShuffleUp", up},           {"subgroupShuffleXor", across},
                 {"subgroupShuffle", shuffle},        {"subgroupBallot", ballot}};
  probe.all_passed = std::ranges::all_of(probe.tests, &SubgroupSelfTest::passed);
  return probe;
}

Result<SubgroupProbe> probe_subgroups(Device& device) {
  static std::mutex mutex;
  static std::map<std::string, SubgroupProbe> known;
  const AdapterInfo& adapter = device.adapter();
  const std::uint32_t width = probe_width(device.state()->device_limits);
  if (width == 0) return SubgroupProbe{};
  // Nothing is known of an adopted device's adapter, so nothing can be remembered for it.
  if (adapter.backend == "unknown") return judged_or_failed(probe_now(device, width));
  const std::string key =
      concat(adapter.backend, "\n", adapter.name, "\n", adapter.driver, "\n", width);
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  auto probe = probe_now(device, width);
  if (probe) known.emplace(key, *probe);
  return judged_or_failed(std::move(probe));
}

}  // namespace wgprim::native
