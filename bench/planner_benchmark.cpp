// How long planning takes on the host: scans of one to four levels, from graph to plan, and large
// graphs in the shapes of reference/large_graphs.hpp (compile alone).
#include <benchmark/benchmark.h>

#include "reference/large_graphs.hpp"
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

void plan_graph(benchmark::State& state, wgprim::reference::GraphShape shape) {
  const auto nodes = static_cast<std::uint32_t>(state.range(0));
  for (auto _ : state) {
    state.PauseTiming();
    auto graph = wgprim::reference::large_graph(shape, nodes);
    state.ResumeTiming();
    if (!graph) {
      state.SkipWithError(graph.error().message.c_str());
      break;
    }
    auto plan = graph->compile({});
    if (!plan) state.SkipWithError(plan.error().message.c_str());
    benchmark::DoNotOptimize(plan);
    state.PauseTiming();  // Not the end of graph and plan either.
    plan = wgprim::Plan();
    graph = wgprim::Graph();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * nodes);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(plan_graph, chain, wgprim::reference::GraphShape::chain)->Apply(sizes);
BENCHMARK_CAPTURE(plan_graph, fan, wgprim::reference::GraphShape::fan)->Apply(sizes);
BENCHMARK_CAPTURE(plan_graph, nesting, wgprim::reference::GraphShape::nesting)->Apply(sizes);

}  // namespace
