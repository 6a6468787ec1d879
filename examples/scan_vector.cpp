// The shortest way to a prefix sum: a vector in, a vector out, everything between on the GPU.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "wgprim/wgprim.hpp"

int main() {
  auto device = wgprim::Device::create();
  if (!device) {
    std::fprintf(stderr, "%s\n", device.error().message.c_str());
    return 1;
  }

  const std::vector<std::uint32_t> lengths = {3, 1, 4, 2};
  const auto offsets = wgprim::exclusive_scan(*device, lengths);
  if (!offsets) {
    std::fprintf(stderr, "%s\n", offsets.error().message.c_str());
    return 1;
  }

  std::printf("on %s:\n", device->adapter().name.c_str());
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::printf("  item %zu has %u rows from row %u on\n", i, lengths[i], (*offsets)[i]);
  }
  return *offsets == std::vector<std::uint32_t>{0, 3, 4, 8} ? 0 : 1;
}
