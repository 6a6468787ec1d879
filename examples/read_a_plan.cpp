// A plan is a value: made without any device, printed, asked what it costs. Here for a scan of a
// million rows on a device with WebGPU's default limits, and for one that binds only a megabyte.
#include <cstdio>

#include "wgprim/graph.hpp"

int main() {
  const wgprim::DeviceProfile usual;
  const auto plan = wgprim::plan_scan(1'000'000, {.mode = wgprim::ScanMode::inclusive}, usual);
  if (!plan) {
    std::fprintf(stderr, "%s\n", plan.error().message.c_str());
    return 1;
  }
  std::printf("%s\n", wgprim::to_text(*plan).c_str());

  wgprim::DeviceProfile small;
  small.limits.max_storage_buffer_binding_size = 1 << 20;
  const auto split = wgprim::plan_scan(1'000'000, {.mode = wgprim::ScanMode::inclusive}, small);
  if (!split) {
    std::fprintf(stderr, "%s\n", split.error().message.c_str());
    return 1;
  }
  std::printf("With bindings of 1 MiB it takes %zu dispatches instead of %zu.\n",
              split->dispatches.size(), plan->dispatches.size());

  // Three levels of blocks: 1,000,000 rows, 3,907 sums, 16 sums of sums.
  const bool is_as_told = plan->dispatches.size() == 5 && split->dispatches.size() > 5 &&
                          split->largest_binding_bytes <= 1 << 20;
  return is_as_told ? 0 : 1;
}
