// How long recording a compiled scan takes on the host, after its first encode has made what it
// needs. The commands are dropped unsubmitted.
#include <benchmark/benchmark.h>

#include "wgprim/wgprim.hpp"

namespace {

using namespace wgprim;

template <class T>
bool is_usable(benchmark::State& state, const Result<T>& result) {
  if (!result) state.SkipWithError(result.error().message.c_str());
  return result.has_value();
}

void encode_scan(benchmark::State& state) {
  const auto rows = static_cast<std::uint64_t>(state.range(0));
  auto device = Device::create();
  if (!is_usable(state, device)) return;
  auto scan = compile_scan(*device, rows);
  auto input = device->create_buffer(rows * 4, kUsageStorage, "input");
  auto output = device->create_buffer(rows * 4, kUsageStorage, "output");
  if (!is_usable(state, scan) || !is_usable(state, input) || !is_usable(state, output)) return;
  const Import imports[] = {{"input", &*input}, {"output", &*output}};
  const auto encode = [&] {
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device->handle(), nullptr);
    const auto encoded = scan->encode(encoder, {.imports = imports});
    wgpuCommandEncoderRelease(encoder);
    return is_usable(state, encoded);
  };
  if (!encode()) return;
  for (auto _ : state) {
    if (!encode()) break;
  }
  state.counters["dispatches"] = static_cast<double>(scan->plan().dispatches.size());
}
BENCHMARK(encode_scan)->Arg(256)->Arg(65536)->Arg(1 << 20);

}  // namespace
