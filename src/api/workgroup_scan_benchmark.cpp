// Runs the two plans in turn and checks them; see the header.
#include "wgprim/workgroup_scan_benchmark.hpp"

#include <bit>
#include <chrono>

#include "reference/workgroup_scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

using Clock = std::chrono::steady_clock;

/// Two barriers a step and one before; the subgroup kernel parts totals from their reads and back.
std::uint32_t barriers_a_round(const WorkgroupScanOptions& options, bool uses_subgroups) {
  if (uses_subgroups) return 2;
  return 1 + 2 * static_cast<std::uint32_t>(std::bit_width(options.workgroup_size) - 1);
}

std::uint64_t elements_of(const WorkgroupScanOptions& options) {
  return std::uint64_t{options.workgroups} * options.workgroup_size * options.rounds;
}

/// One implementation with its samples.
struct Contender {
  std::string name;
  Executable executable;
  Buffer checksums;
  std::vector<double> gpu_ns = {};
  std::vector<double> encode_ns = {};
  std::uint32_t dropped = 0;
};

class Benchmark {
 public:
  Benchmark(Device& device, const WorkgroupScanOptions& options)
      : device_(device), options_(options), expected_(0) {}

  Result<WorkgroupScanReport> run() {
    const auto profile = device_.profile();
    if (!profile) return pass_on(profile);
    if (auto ok = add("portable", false, profile->limits); !ok) return pass_on(ok);
    if (profile->capabilities.subgroups) {
      if (auto ok = add("subgroups", true, profile->limits); !ok) return pass_on(ok);
    }
    expected_ =
        reference::workgroup_scan_checksum(options_.workgroup_size, options_.rounds, options_.mode);
    if (profile->capabilities.timestamps) {
      auto timer = Timer::create(device_);
      if (!timer) return pass_on(timer);
      timer_ = std::move(*timer);
    }
    for (const auto iterations : {options_.warmup, options_.measured}) {
      if (auto ok = iterate(iterations); !ok) return pass_on(ok);
      if (auto ok = check_all(); !ok) return pass_on(ok);
    }
    return report();
  }

 private:
  Result<void> add(std::string name, bool uses_subgroups, const Limits& limits) {
    auto plan = plan_workgroup_scan(options_, uses_subgroups, limits);
    if (!plan) return pass_on(plan);
    auto executable = Executable::create(device_, std::move(*plan));
    if (!executable) return pass_on(executable);
    auto checksums = device_.create_buffer(4 * std::uint64_t{options_.workgroups},
                                           kUsageStorage | kUsageCopySource | kUsageCopyDestination,
                                           "checksums");
    if (!checksums) return pass_on(checksums);
    contenders_.push_back({std::move(name), std::move(*executable), std::move(*checksums)});
    return {};
  }

  /// Samples of these iterations only; every other one runs the contenders backwards.
  Result<void> iterate(std::uint32_t iterations) {
    for (Contender& contender : contenders_) {
      contender.gpu_ns.clear();
      contender.encode_ns.clear();
      contender.dropped = 0;
    }
    for (std::uint32_t i = 0; i < iterations; ++i) {
      for (std::size_t turn = 0; turn < contenders_.size(); ++turn) {
        const std::size_t place = i % 2 == 0 ? turn : contenders_.size() - 1 - turn;
        if (auto ok = run_once(contenders_[place]); !ok) return ok;
      }
    }
    return {};
  }

  Result<void> run_once(Contender& contender) {
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
    const Import imports[] = {{"checksums", &contender.checksums}};
    wgpuCommandEncoderClearBuffer(encoder, contender.checksums.handle(), 0, WGPU_WHOLE_SIZE);
    const auto start = Clock::now();
    const auto encoded = contender.executable.encode(
        encoder, {.imports = imports, .timer = timer_ ? &*timer_ : nullptr});
    const std::chrono::duration<double, std::nano> encode_time = Clock::now() - start;
    const auto submitted =
        device_.submit_and_wait(encoder, 4 * elements_of(options_) * options_.dispatches);
    if (!encoded) return encoded;
    if (!submitted) return submitted;
    contender.encode_ns.push_back(encode_time.count() / options_.dispatches);
    if (!timer_) return {};
    const auto time = timer_->read(device_);
    if (!time) return pass_on(time);
    if (*time) {
      contender.gpu_ns.push_back(**time / options_.dispatches);
    } else {
      ++contender.dropped;
    }
    return {};
  }

  Result<void> check_all() {
    for (Contender& contender : contenders_) {
      if (auto ok = check(contender); !ok) return ok;
    }
    return {};
  }

  Result<void> check(Contender& contender) {
    std::uint64_t group = 0;
    const auto compare = [&](std::span<const std::byte> bytes) -> Result<void> {
      const std::span words(reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4);
      for (const std::uint32_t found : words) {
        if (found != expected_) {
          return fail(ErrorCode::verification_failed,
                      concat("Workgroup ", group, " of '", contender.name, "' ends with checksum ",
                             found, ", not ", expected_, "."));
        }
        ++group;
      }
      return {};
    };
    return device_.download(contender.checksums, 0, 4 * std::uint64_t{options_.workgroups},
                            compare);
  }

  Result<WorkgroupScanReport> report() const {
    WorkgroupScanReport report{.checksum = expected_, .implementations = {}};
    for (const Contender& contender : contenders_) {
      auto times = times_of(contender);
      if (!times) return pass_on(times);
      report.implementations.push_back(std::move(*times));
    }
    if (contenders_.size() == 1) {
      report.implementations.push_back({.implementation = "subgroups",
                                        .is_supported = false,
                                        .barriers_a_round = barriers_a_round(options_, true),
                                        .gpu_ns = {},
                                        .encode_ns = {},
                                        .elements_per_second = {}});
    }
    return report;
  }

  Result<WorkgroupScanTimes> times_of(const Contender& contender) const {
    const bool uses_subgroups = contender.executable.plan().nodes[0].uses_subgroups;
    WorkgroupScanTimes times{.implementation = contender.name,
                             .barriers_a_round = barriers_a_round(options_, uses_subgroups),
                             .gpu_ns = {},
                             .encode_ns = {},
                             .elements_per_second = {},
                             .dropped = contender.dropped};
    const auto encode = distribution_of(contender.encode_ns);
    if (!encode) return pass_on(encode);
    times.encode_ns = *encode;
    if (contender.gpu_ns.empty()) return times;
    const auto gpu = distribution_of(contender.gpu_ns);
    if (!gpu) return pass_on(gpu);
    times.gpu_ns = *gpu;
    times.elements_per_second = static_cast<double>(elements_of(options_)) * 1e9 / gpu->median;
    return times;
  }

  Device device_;
  WorkgroupScanOptions options_;
  std::uint32_t expected_;
  std::optional<Timer> timer_;
  std::vector<Contender> contenders_;
};

}  // namespace

Result<WorkgroupScanReport> benchmark_workgroup_scan(Device& device,
                                                     const WorkgroupScanOptions& options) {
  return Benchmark(device, options).run();
}

}  // namespace wgprim
