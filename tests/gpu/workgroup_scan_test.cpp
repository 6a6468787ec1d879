// The workgroup-scan benchmark on the device at hand: every workgroup's checksum, and what is
// refused.
#include "wgprim/workgroup_scan_benchmark.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/gpu_fixture.hpp"

namespace wgprim::testing {
namespace {

class WorkgroupScan : public GpuTest {
 protected:
  static WorkgroupScanOptions few(std::uint32_t rounds, ScanMode mode, std::uint32_t width = 256) {
    return {.workgroups = 3,
            .rounds = rounds,
            .dispatches = 2,
            .warmup = 1,
            .measured = 2,
            .mode = mode,
            .workgroup_size = width};
  }
};

TEST_F(WorkgroupScan, case_J09) {
  const std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> cases[] = {
      {1, {1793, 2304}},
      {2, {226815, 231168}},
      {3, {18509698, 19232000}},
      {8, {1068264456, 4260468096}},
      {32, {2853987616, 1510361664}},
      {128, {2298693336, 2431746808}}};
  for (const auto& [rounds, checksums] : cases) {
    const auto [exclusive, inclusive] = checksums;
    EXPECT_EQ(must(benchmark_workgroup_scan(device(), few(rounds, ScanMode::exclusive))).checksum,
              exclusive);
    EXPECT_EQ(must(benchmark_workgroup_scan(device(), few(rounds, ScanMode::inclusive))).checksum,
              inclusive);
  }
}

TEST_F(WorkgroupScan, case_J09_at_512_lanes_where_the_device_has_them) {
  const auto report = benchmark_workgroup_scan(device(), few(2, ScanMode::exclusive, 512));
  const auto& limits = must(device().profile()).limits;
  if (limits.max_compute_invocations_per_workgroup >= 512) {
    EXPECT_EQ(must(report).checksum, 1011711u);
  } else {
    EXPECT_EQ(report.error().code, ErrorCode::limit_exceeded);
  }
}

TEST_F(WorkgroupScan, reports_both_implementations) {
  const auto report = must(benchmark_workgroup_scan(device(), few(2, ScanMode::exclusive)));
  EXPECT_EQ(report.clock, BenchmarkClock::device);
  EXPECT_GT(report.clock_step_ns, 0);
  ASSERT_EQ(report.implementations.size(), 2u);
  EXPECT_EQ(report.implementations[0].implementation, "portable");
  EXPECT_EQ(report.implementations[0].barriers_a_round, 17u);
  EXPECT_EQ(report.implementations[1].barriers_a_round, 2u);
  for (const WorkgroupScanTimes& times : report.implementations) {
    ASSERT_TRUE(times.is_supported);
    EXPECT_GT(times.dispatch_ns->median, 0);
    EXPECT_GT(times.encode_ns->median, 0);
    EXPECT_EQ(times.dropped, 0u);
    EXPECT_NEAR(*times.elements_per_second * times.dispatch_ns->median, 3 * 256 * 2 * 1e9, 1e3);
  }
}

TEST_F(WorkgroupScan, tells_how_far_it_has_come) {
  std::vector<std::uint64_t> heard;
  const auto progress = [&](std::uint64_t done, std::uint64_t total) {
    heard.push_back(done);
    EXPECT_EQ(total, 3u);
  };
  must(benchmark_workgroup_scan(device(), few(1, ScanMode::exclusive), progress));
  EXPECT_TRUE(std::ranges::is_sorted(heard));
  EXPECT_EQ(heard.front(), 1u);
  EXPECT_EQ(heard.back(), 3u);
}

TEST_F(WorkgroupScan, is_timed_by_the_host_where_the_device_has_no_timestamps) {
  Device untimed = must(Device::create({.capabilities = {"timestamps=off", "subgroups=off"}}));
  const auto report = must(benchmark_workgroup_scan(untimed, few(2, ScanMode::exclusive)));
  EXPECT_EQ(report.clock, BenchmarkClock::host);
  ASSERT_EQ(report.implementations.size(), 2u);
  const WorkgroupScanTimes& portable = report.implementations[0];
  EXPECT_GT(portable.dispatch_ns.value().min, 0);
  EXPECT_NEAR(portable.elements_per_second.value() * portable.dispatch_ns->median,
              3 * 256 * 2 * 1e9, 1e3);
  EXPECT_EQ(portable.dropped, 0u);
  EXPECT_FALSE(report.implementations[1].is_supported);
  EXPECT_FALSE(report.implementations[1].dispatch_ns);
}

TEST_F(WorkgroupScan, refuses_counts_of_0_and_other_widths) {
  using Options = WorkgroupScanOptions;
  for (const auto count : {&Options::workgroups, &Options::rounds, &Options::dispatches,
                           &Options::warmup, &Options::measured, &Options::workgroup_size}) {
    Options options = few(1, ScanMode::exclusive);
    options.*count = 0;
    const auto refused = benchmark_workgroup_scan(device(), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  }
  Options wide = few(1, ScanMode::exclusive, 384);
  EXPECT_EQ(benchmark_workgroup_scan(device(), wide).error().message,
            "The workgroup size is 256 or 512, not 384.");
}

TEST_F(WorkgroupScan, refuses_counts_that_would_run_for_ever) {
  const auto message_of = [&](std::uint32_t WorkgroupScanOptions::* count, std::uint32_t value) {
    WorkgroupScanOptions options = few(1, ScanMode::exclusive);
    options.*count = value;
    const auto refused = plan_workgroup_scan(options, false, {});
    return refused ? "accepted" : refused.error().message;
  };
  using Options = WorkgroupScanOptions;
  EXPECT_EQ(message_of(&Options::rounds, 1'000'001),
            "The number of rounds must be from 1 to 1000000, not 1000001.");
  EXPECT_EQ(message_of(&Options::dispatches, 10'001),
            "The number of dispatches must be from 1 to 10000, not 10001.");
  EXPECT_EQ(message_of(&Options::warmup, 100'001),
            "The number of warm-up iterations must be from 1 to 100000, not 100001.");
  EXPECT_EQ(message_of(&Options::measured, 4'294'967'295),
            "The number of measured iterations must be from 1 to 100000, not 4294967295.");
  EXPECT_EQ(message_of(&Options::rounds, 1'000'000), "accepted");
  EXPECT_EQ(message_of(&Options::workgroups, 1u << 29), "accepted");  // x 2 dispatches
  EXPECT_EQ(message_of(&Options::workgroups, (1u << 29) + 1),
            "536870913 workgroups x 1 rounds x 2 dispatches are above the 1073741824 scans that an "
            "iteration may hold.");
}

TEST_F(WorkgroupScan, refuses_a_mode_that_is_none) {
  const auto refused = plan_workgroup_scan(few(1, static_cast<ScanMode>(9)), false, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "The mode is ScanMode::exclusive or ScanMode::inclusive, not number 9.");
}

TEST_F(WorkgroupScan, folds_many_workgroups_into_three_dimensions) {
  Limits limits;
  limits.max_compute_workgroups_per_dimension = 2;
  WorkgroupScanOptions options = few(1, ScanMode::exclusive);
  const std::pair<std::uint32_t, Shape> cases[] = {
      {1, {1, 1, 1}}, {2, {2, 1, 1}}, {3, {2, 2, 1}}, {5, {2, 2, 2}}, {8, {2, 2, 2}}};
  for (const auto& [workgroups, shape] : cases) {
    options.workgroups = workgroups;
    EXPECT_EQ(must(plan_workgroup_scan(options, false, limits)).dispatches[0].shape, shape);
  }
  options.workgroups = 9;
  EXPECT_EQ(plan_workgroup_scan(options, false, limits).error().message,
            "9 workgroups are more than a dispatch may have, 2 in each of three dimensions "
            "(maxComputeWorkgroupsPerDimension).");
}

TEST_F(WorkgroupScan, runs_folded) {
  Device narrow = must(Device::create({.limits = {"maxComputeWorkgroupsPerDimension=2"}}));
  WorkgroupScanOptions options = few(1, ScanMode::exclusive);
  options.workgroups = 7;
  EXPECT_EQ(must(benchmark_workgroup_scan(narrow, options)).checksum, 1793u);
}

TEST_F(WorkgroupScan, its_plan_tells_how_much_it_does) {
  Limits limits;
  limits.max_compute_workgroups_per_dimension = 2;
  const auto plan = must(plan_workgroup_scan(few(1, ScanMode::exclusive), false, limits));
  const Workload padded{.workgroups = 4, .invocations = 4 * 256, .bytes_written = 3 * 4};
  EXPECT_EQ(plan.dispatches[0].workload, padded);
  const Workload both{.workgroups = 8, .invocations = 8 * 256, .bytes_written = 6 * 4};
  EXPECT_EQ(plan.workload, both);
}

}  // namespace
}  // namespace wgprim::testing
