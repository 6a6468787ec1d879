// The scalar oracle of the workgroup-scan benchmark.
#include "reference/workgroup_scan.hpp"

#include <gtest/gtest.h>

namespace wgprim::reference {
namespace {

std::vector<std::uint32_t> checksums(std::uint32_t width, std::vector<std::uint32_t> rounds,
                                     ScanMode mode) {
  for (std::uint32_t& round : rounds)
    round = workgroup_scan_checksum(width, round, mode);
  return rounds;
}

TEST(WorkgroupScanReferenceTest, case_J09) {
  using Words = std::vector<std::uint32_t>;
  const Words rounds = {1, 2, 3, 8, 32, 128};
  EXPECT_EQ(checksums(256, rounds, ScanMode::exclusive),
            (Words{1793, 226815, 18509698, 1068264456, 2853987616, 2298693336}));
  EXPECT_EQ(checksums(256, rounds, ScanMode::inclusive),
            (Words{2304, 231168, 19232000, 4260468096, 1510361664, 2431746808}));
  EXPECT_EQ(checksums(512, {1, 2}, ScanMode::exclusive), (Words{4097, 1011711}));
}

}  // namespace
}  // namespace wgprim::reference
