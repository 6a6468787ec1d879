// Times the chained scan on the device beside a copy of the same bytes, in one run:
//     scan_bench [--adapter NAME] [--from EXPONENT] [--to EXPONENT] [--samples N] > scan.json
// The device is warmed for a second, the kinds of work take turns within one submit so that it is
// never idle, results are checked before and after timing, and medians are of the samples left.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "reference/scan.hpp"
#include "wgprim/version.hpp"
#include "wgprim/wgprim.hpp"

namespace {

using namespace wgprim;
using Json = nlohmann::ordered_json;

constexpr std::size_t kTurns = 5;  ///< Samples of each kind of work a submit.

/// 256 lanes, four vec4 each: the shape that copies fastest on the GPUs measured.
constexpr const char* kCopyWgsl = R"(
@group(0) @binding(0) var<uniform> parameters: vec4u;
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;
@group(0) @binding(2) var<storage, read> input: array<vec4u>;

@compute @workgroup_size(256)
fn copy_rows(@builtin(local_invocation_index) lane: u32,
             @builtin(workgroup_id) group_id: vec3u,
             @builtin(num_workgroups) groups: vec3u) {
  let first = (group_id.y * groups.x + group_id.x) * 1024u + lane;
  for (var k = 0u; k < 4u; k += 1u) {
    let i = first + k * 256u;
    if (i < parameters.x) {
      output[i] = input[i];
    }
  }
}
)";

/// Ends the program with the sentence of a failed call.
template <class T>
T take(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "scan_bench: {}\n", result.error().message);
  std::_Exit(1);
}

void take(const Result<void>& result) {
  if (result) return;
  fmt::print(stderr, "scan_bench: {}\n", result.error().message);
  std::_Exit(1);
}

Plan copy_plan(std::uint64_t rows) {
  const std::uint64_t bytes = rows * 4;
  const auto vectors = static_cast<std::uint32_t>(rows / 4);
  const std::uint32_t groups = (vectors + 1023) / 1024;
  const std::uint32_t wide = std::min(groups, 65535u);
  Plan plan;
  plan.nodes = {{.id = "copy", .operation = "compute"}};
  plan.buffers = {{.id = "input", .bytes = bytes, .usage = kUsageStorage},
                  {.id = "output", .bytes = bytes, .usage = kUsageStorage}};
  plan.kernels = {{.name = "copy_rows",
                   .bindings = {{0, Access::parameters},
                                {1, Access::storage_read_write},
                                {2, Access::storage_read}},
                   .wgsl = kCopyWgsl}};
  plan.dispatches = {{.label = "copy_rows",
                      .bindings = {{1, 1, 0, bytes}, {2, 0, 0, bytes}},
                      .parameters = {vectors, 0, 0, 0},
                      .shape = {wide, (groups + wide - 1) / wide, 1}}};
  plan.passes = {PlanComputePass{0, 1}};
  return plan;
}

/// One kind of work and its samples in nanoseconds.
struct Work {
  std::string name;
  Executable executable;
  std::uint64_t bytes = 0;  ///< Read and written, by its plan.
  bool is_scan = false;
  std::vector<double> samples = {};
};

class Bench {
 public:
  Bench(const Device& device, std::uint64_t rows)
      : device_(device),
        rows_(rows),
        input_(take(device_.create_buffer(rows * 4, kUsage, "input"))),
        output_(take(device_.create_buffer(rows * 4, kUsage, "output"))),
        values_(rows) {
    std::ranges::generate(values_, [x = 1u]() mutable { return x = x * 1664525u + 1013904223u; });
    take(device_.upload(input_, 0, std::as_bytes(std::span(values_))));
    expected_ = reference::exclusive_scan(values_);
    add("copy", take(Executable::create(device_, copy_plan(rows))), rows * 8, false);
    for (const Subgroups subgroups : {Subgroups::off, Subgroups::on}) {
      if (subgroups == Subgroups::on && !take(device_.profile()).capabilities.subgroups) continue;
      Executable scan = take(compile_scan(device_, rows, {.subgroups = subgroups}));
      const Workload& workload = scan.plan().workload;
      const std::uint64_t bytes = workload.bytes_read + workload.bytes_written;
      add(fmt::format("chained, subgroups {}", to_string(subgroups)), std::move(scan), bytes, true);
    }
    for (std::size_t i = 0; i < works_.size() * kTurns; ++i) {
      timers_.push_back(take(Timer::create(device_)));
    }
  }

  Json run(std::size_t sample_count) {
    check();
    const auto warm = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (std::chrono::steady_clock::now() < warm)
      submit();
    for (Work& work : works_)
      work.samples.clear();
    while (works_.front().samples.size() < sample_count) {
      const std::size_t before = works_.front().samples.size();
      submit();
      if (works_.front().samples.size() > before) continue;
      take(Result<void>(fail(ErrorCode::unsupported, "The device's clock times nothing.")));
    }
    check();
    Json results = Json::array();
    const double copy = median(works_.front().samples);
    for (Work& work : works_)
      results.push_back(summary(work, copy));
    return {{"rows", rows_}, {"results", results}};
  }

 private:
  static constexpr std::uint32_t kUsage = kUsageStorage | kUsageCopySource | kUsageCopyDestination;

  void add(std::string name, Executable executable, std::uint64_t bytes, bool is_scan) {
    works_.push_back({std::move(name), std::move(executable), bytes, is_scan});
  }

  void encode(WGPUCommandEncoder encoder, Work& work, Timer* timer) {
    const Import imports[] = {{"input", &input_}, {"output", &output_}};
    take(work.executable.encode(encoder, {.imports = imports, .timer = timer}));
  }

  /// Every kind of work in turn, kTurns times, in one submit.
  void submit() {
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
    std::size_t timer = 0;
    std::uint64_t bytes = 0;
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
      for (Work& work : works_) {
        encode(encoder, work, &timers_[timer++]);
        bytes += work.bytes;
      }
    }
    take(device_.submit_and_wait(encoder, bytes));
    timer = 0;
    for (std::size_t turn = 0; turn < kTurns; ++turn) {
      for (Work& work : works_) {
        const auto nanoseconds = take(timers_[timer++].read(device_));
        if (nanoseconds) work.samples.push_back(*nanoseconds);
      }
    }
  }

  void check() {
    for (Work& work : works_) {
      const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device_.handle(), nullptr);
      encode(encoder, work, nullptr);
      take(device_.submit_and_wait(encoder, work.bytes));
      const std::vector<std::uint32_t>& expected = work.is_scan ? expected_ : values_;
      std::size_t row = 0;
      take(device_.download(
          output_, 0, rows_ * 4, [&](std::span<const std::byte> bytes) -> Result<void> {
            const bool is_right = std::ranges::equal(
                bytes, std::as_bytes(std::span(expected)).subspan(row * 4, bytes.size()));
            row += bytes.size() / 4;
            if (is_right) return {};
            return fail(ErrorCode::verification_failed, work.name + " computes a wrong result.");
          }));
    }
  }

  static double median(std::vector<double>& samples) {
    if (samples.empty()) take(Result<void>(fail(ErrorCode::internal, "No sample was timed.")));
    std::ranges::sort(samples);
    return samples[samples.size() / 2];
  }

  Json summary(Work& work, double copy) const {
    const double middle = median(work.samples);
    const double p95 = work.samples[work.samples.size() * 95 / 100];
    return {{"name", work.name},
            {"samples", work.samples.size()},
            {"median_us", middle / 1e3},
            {"p95_us", p95 / 1e3},
            {"bytes", work.bytes},
            {"gigabytes_per_second", static_cast<double>(work.bytes) / middle},
            {"share_of_copy", copy / middle}};
  }

  Device device_;
  std::uint64_t rows_;
  Buffer input_;
  Buffer output_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> expected_;
  std::vector<Work> works_;
  std::vector<Timer> timers_;
};

}  // namespace

int main(int argument_count, char** arguments) {
  DeviceRequest request;
  std::uint32_t from = 16;
  std::uint32_t to = 22;
  std::size_t samples = 30;
  CLI::App app("Times the chained scan beside a copy");
  app.add_option("--adapter", request.adapter, "As for wgprim");
  app.add_option("--from", from, "Smallest size, as a power of two")->check(CLI::Range(10, 29));
  app.add_option("--to", to, "Largest size, as a power of two")->check(CLI::Range(10, 29));
  app.add_option("--samples", samples, "Timed samples a size")->check(CLI::Range(1, 10000));
  CLI11_PARSE(app, argument_count, arguments);

  Device device = take(Device::create(request));
  Json sizes = Json::array();
  const std::uint64_t most = take(device.profile()).limits.max_storage_buffer_binding_size;
  for (std::uint32_t exponent = from; exponent <= to; ++exponent) {
    if ((std::uint64_t{4} << exponent) > most) {
      fmt::print(stderr, "2^{:<3} is left out: the copy binds at most {} bytes\n", exponent, most);
      break;
    }
    Json size = Bench(device, std::uint64_t{1} << exponent).run(samples);
    for (const Json& result : size["results"]) {
      fmt::print(stderr, "2^{:<3} {:24} {:10.1f} us {:8.1f} GB/s {:6.2f} of copy\n", exponent,
                 result["name"].get<std::string>(), result["median_us"].get<double>(),
                 result["gigabytes_per_second"].get<double>(),
                 result["share_of_copy"].get<double>());
    }
    sizes.push_back(std::move(size));
  }
  const Json report = {{"adapter", device.adapter().name},
                       {"driver", device.adapter().driver},
                       {"wgprim", kVersion},
                       {"wgpu_native", webgpu_library_version()},
                       {"sizes", sizes}};
  fmt::print("{}\n", report.dump(2));
  return 0;
}
