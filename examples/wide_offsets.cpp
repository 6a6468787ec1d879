// Offsets beyond 4 GiB: where each of many recordings starts on a disk, when sizes are kept as low
// and high words in two arrays, as kernels read them. One exclusive scan of 64-bit numbers.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "wgprim/wgprim.hpp"

int main() {
  constexpr std::uint32_t kRows = 10'000;
  std::vector<std::uint32_t> low(kRows), high(kRows);  // Sizes of up to 12 GiB.
  for (std::uint32_t i = 0; i < kRows; ++i) {
    low[i] = i * 2654435761u;
    high[i] = i % 3;
  }
  auto device = wgprim::Device::create();
  if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;

  const auto starts = wgprim::scan_u64(*device, low, high);  // Row i: the bytes before recording i.
  if (!starts) return std::fprintf(stderr, "%s\n", starts.error().message.c_str()), 1;

  unsigned long long start = 0;  // What it should be.
  for (std::uint32_t i = 0; i < kRows; ++i) {
    const auto found = (std::uint64_t{starts->high[i]} << 32) + starts->low[i];
    if (found != start) return std::printf("recording %u is not at %llu\n", i, start), 1;
    if (i % 2000 == 0) std::printf("recording %4u starts at byte %15llu\n", i, start);
    start += (std::uint64_t{high[i]} << 32) + low[i];
  }
  std::printf("%u recordings, %llu bytes in all: right\n", kRows, start);
}
