// Runs the two plans in turn and checks them; see the header. Many iterations share a submit: in
// the gaps between submits a GPU lowers its clocks.
#include "wgprim/workgroup_scan_benchmark.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

#include "reference/workgroup_scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

using Clock = std::chrono::steady_clock;

/// Iterations share a submit up to about this much work; drivers give up on submits that take long.
constexpr std::chrono::milliseconds kSubmitTime{200};
constexpr std::int64_t kMostIterationsOfASubmit = 64;

/// Two barriers a step and one before; the subgroup kernel parts totals from their reads and back.
std::uint32_t barriers_a_round(const WorkgroupScanOptions& options, bool uses_subgroups) {
  if (uses_subgroups) return 2;
  return 1 + 2 * static_cast<std::uint32_t>(std::bit_width(options.workgroup_size) - 1);
}

std::uint64_t elements_of(const WorkgroupScanOptions& options) {
  return std::uint64_t{options.workgroups} * options.workgroup_size * options.rounds;
}

/// One implementation with its samples, in nanoseconds of a whole iteration.
struct Contender {
  std::string name;
  Executable executable;
  Buffer checksums;
  std::vector<double> times_ns = {};
  std::vector<double> encode_ns = {};
  std::uint32_t dropped = 0;
};

class Benchmark {
 public:
  Benchmark(Device& device, const WorkgroupScanOptions& options, const IterationSink& progress)
      : device_(device), options_(options), progress_(progress) {}

  Result<WorkgroupScanReport> run() {
    const auto profile = device_.profile();
    if (!profile) return pass_on(profile);
    if (auto ok = add("portable", false, profile->limits); !ok) return pass_on(ok);
    if (profile->capabilities.subgroups) {
      if (auto ok = add("subgroups", true, profile->limits); !ok) return pass_on(ok);
    }
    expected_ =
        reference::workgroup_scan_checksum(options_.workgroup_size, options_.rounds, options_.mode);
    clock_ = profile->capabilities.timestamps ? BenchmarkClock::device : BenchmarkClock::host;
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

  /// Samples of these iterations only.
  Result<void> iterate(std::uint32_t iterations) {
    for (Contender& contender : contenders_) {
      contender.times_ns.clear();
      contender.encode_ns.clear();
      contender.dropped = 0;
    }
    for (std::uint32_t first = 0; first < iterations;) {
      const std::uint32_t count = std::min(iterations - first, iterations_of_a_submit());
      const auto start = Clock::now();
      if (auto ok = run_in_turn(turns_of(first, count)); !ok) return ok;
      iteration_time_ = (Clock::now() - start) / count;
      first += count;
      iterations_done_ += count;
      if (progress_) {
        progress_(iterations_done_, std::uint64_t{options_.warmup} + options_.measured);
      }
    }
    return {};
  }

  /// The contenders, every other iteration backwards.
  std::vector<std::size_t> turns_of(std::uint32_t first, std::uint32_t count) const {
    std::vector<std::size_t> turns;
    for (std::uint32_t i = first; i < first + count; ++i) {
      for (std::size_t turn = 0; turn < contenders_.size(); ++turn)
        turns.push_back(i % 2 == 0 ? turn : contenders_.size() - 1 - turn);
    }
    return turns;
  }

  std::uint32_t iterations_of_a_submit() const {
    const auto fitting = kSubmitTime / std::max(iteration_time_, Clock::duration(1));
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(fitting, 1, kMostIterationsOfASubmit));
  }

  /// In one submit, or each in one of its own where an iteration is long or the host's clock times.
  Result<void> run_in_turn(std::span<const std::size_t> turns) {
    if (clock_ == BenchmarkClock::device && iteration_time_ <= kSubmitTime) {
      return time_by_the_device(turns);
    }
    for (; !turns.empty(); turns = turns.subspan(1)) {
      const auto ok = clock_ == BenchmarkClock::device
                          ? time_by_the_device(turns.first(1))
                          : time_by_the_host(contenders_[turns.front()]);
      if (!ok) return ok;
    }
    return {};
  }

  Result<void> time_by_the_device(std::span<const std::size_t> turns) {
    while (timers_.size() < turns.size()) {
      auto timer = Timer::create(device_);
      if (!timer) return pass_on(timer);
      timers_.push_back(std::move(*timer));
    }
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
    Result<void> encoded;
    for (std::size_t at = 0; at < turns.size() && encoded; ++at) {
      clear(encoder, contenders_[turns[at]]);
      encoded = encode(encoder, contenders_[turns[at]], &timers_[at]);
    }
    const auto submitted = submit(encoder, turns.size());
    if (!encoded) return encoded;
    if (!submitted) return submitted;
    const auto times = Timer::read_all(device_, std::span(timers_).first(turns.size()));
    if (!times) return pass_on(times);
    for (std::size_t at = 0; at < turns.size(); ++at)
      add_sample(contenders_[turns[at]], (*times)[at]);
    return {};
  }

  Result<void> time_by_the_host(Contender& contender) {
    const WGPUCommandEncoder before = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
    clear(before, contender);
    if (auto ok = submit(before, 0); !ok) return ok;
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
    const auto encoded = encode(encoder, contender, nullptr);
    const auto start = Clock::now();
    const auto submitted = submit(encoder, 1);
    const std::chrono::duration<double, std::nano> time = Clock::now() - start;
    if (!encoded) return encoded;
    if (!submitted) return submitted;
    add_sample(contender, time.count());
    return {};
  }

  /// So that no checksum of an earlier iteration passes for this one's.
  static void clear(WGPUCommandEncoder encoder, const Contender& contender) {
    wgpuCommandEncoderClearBuffer(encoder, contender.checksums.handle(), 0, WGPU_WHOLE_SIZE);
  }

  static Result<void> encode(WGPUCommandEncoder encoder, Contender& contender, Timer* timer) {
    const Import imports[] = {{"checksums", &contender.checksums}};
    const auto start = Clock::now();
    auto encoded = contender.executable.encode(encoder, {.imports = imports, .timer = timer});
    const std::chrono::duration<double, std::nano> time = Clock::now() - start;
    contender.encode_ns.push_back(time.count());
    return encoded;
  }

  /// The traffic that an array of as many rows would have stands for the work: it extends the
  /// time-out.
  Result<void> submit(WGPUCommandEncoder encoder, std::uint64_t turns) {
    return device_.submit_and_wait(encoder,
                                   4 * elements_of(options_) * options_.dispatches * turns);
  }

  static void add_sample(Contender& contender, const std::optional<double>& time_ns) {
    if (time_ns) {
      contender.times_ns.push_back(*time_ns);
    } else {
      ++contender.dropped;
    }
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
    WorkgroupScanReport report{.checksum = expected_, .clock = clock_, .implementations = {}};
    std::vector<double> all_times_ns;
    for (const Contender& contender : contenders_) {
      auto times = times_of(contender);
      if (!times) return pass_on(times);
      report.implementations.push_back(std::move(*times));
      all_times_ns.insert(all_times_ns.end(), contender.times_ns.begin(), contender.times_ns.end());
    }
    report.clock_step_ns = clock_step(all_times_ns);
    if (contenders_.size() == 1) {
      report.implementations.push_back({.implementation = "subgroups",
                                        .is_supported = false,
                                        .barriers_a_round = barriers_a_round(options_, true)});
    }
    return report;
  }

  Result<WorkgroupScanTimes> times_of(const Contender& contender) const {
    if (contender.times_ns.empty()) {
      return fail(
          ErrorCode::unsupported,
          concat("The clock gave no usable time for '", contender.name, "' in ", contender.dropped,
                 " iterations of ", options_.dispatches, " dispatches each."));
    }
    const auto dispatch = distribution_of_dispatches(contender.times_ns);
    if (!dispatch) return pass_on(dispatch);
    const auto encode = distribution_of_dispatches(contender.encode_ns);
    if (!encode) return pass_on(encode);
    const bool uses_subgroups = contender.executable.plan().nodes[0].uses_subgroups;
    return WorkgroupScanTimes{
        .implementation = contender.name,
        .barriers_a_round = barriers_a_round(options_, uses_subgroups),
        .dispatch_ns = *dispatch,
        .encode_ns = *encode,
        .elements_per_second = static_cast<double>(elements_of(options_)) * 1e9 / dispatch->median,
        .dropped = contender.dropped};
  }

  Result<Distribution> distribution_of_dispatches(std::vector<double> iterations_ns) const {
    for (double& time : iterations_ns)
      time /= options_.dispatches;
    return distribution_of(std::move(iterations_ns));
  }

  Device device_;
  WorkgroupScanOptions options_;
  const IterationSink& progress_;
  std::uint64_t iterations_done_ = 0;
  BenchmarkClock clock_ = BenchmarkClock::device;
  std::uint32_t expected_ = 0;
  std::vector<Timer> timers_;  ///< One for each turn of a submit.
  std::vector<Contender> contenders_;
  /// As the latest submit showed; unknown at first, so the first iteration goes turn by turn.
  Clock::duration iteration_time_ = std::chrono::hours(1);
};

}  // namespace

Result<WorkgroupScanReport> benchmark_workgroup_scan(Device& device,
                                                     const WorkgroupScanOptions& options,
                                                     const IterationSink& progress) {
  return Benchmark(device, options, progress).run();
}

}  // namespace wgprim
