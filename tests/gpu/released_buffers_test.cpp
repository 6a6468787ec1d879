// What was encoded with and then released is freed: by us, and by the WebGPU library, which keeps
// what it was told of in some cases for ever.
#include <gtest/gtest.h>

#include <fstream>

#include "support/gpu_fixture.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::testing {
namespace {

/// Bytes of memory that the process holds.
std::uint64_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  std::uint64_t size = 0, resident = 0;
  status >> size >> resident;
  return resident * 4096;
}

TEST_F(GpuTest, contract_E_6_EncodedBuffersAreFreedOnceTheyAreReleased) {
  constexpr std::size_t kWords = std::size_t{1} << 19;
  constexpr int kRounds = 100;
  Executable scan = must(compile_scan(device(), kWords));
  const std::vector<std::uint32_t> words(kWords, 1);
  std::uint64_t before = 0;
  for (int round = 0; round < kRounds; ++round) {
    Buffer input = make_buffer(device(), words);
    Buffer output = make_buffer(device(), words);
    const Import imports[] = {{"input", &input}, {"output", &output}};
    must(run(device(), scan, {.imports = imports}));
    if (round == kRounds / 10) before = resident_bytes();
  }
  const std::uint64_t all = 2 * 4 * kWords * kRounds;
  EXPECT_LT(resident_bytes(), before + all / 4);
}

}  // namespace
}  // namespace wgprim::testing
