// How long planning takes on the host: scans of one to four levels, from graph to plan.
#include <benchmark/benchmark.h>

#include "wgprim/graph.hpp"

namespace {

void plan_scan(benchmark::State& state) {
  wgprim::DeviceProfile profile;
  profile.limits.max_buffer_size = std::uint64_t{1} << 40;
  profile.limits.max_storage_buffer_binding_size = std::uint64_t{1} << 40;
  const auto rows = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    auto plan = wgprim::plan_scan(rows, {.path = wgprim::Path::chained}, profile);
    if (!plan) state.SkipWithError(plan.error().message.c_str());
    benchmark::DoNotOptimize(plan);
  }
}
BENCHMARK(plan_scan)->Arg(256)->Arg(65536)->Arg(16777216)->Arg(16777217);

}  // namespace
