// Sums of split 64-bit words on a device (contract U-1, U-2, U-3; cases C, scenario M6): every word
// of every buffer against the oracle, encoded twice, on both paths, with subgroups and without.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "support/gpu_fixture.hpp"
#include "support/random_scan.hpp"
#include "support/scan_on_device.hpp"
#include "support/split_cases.hpp"

namespace wgprim::testing {
namespace {

class ScanU64OnDevice : public GpuTest {
 protected:
  void expect_right(ScanCase scan) {
    for (const Path path : {Path::chained, Path::reduce_then_scan}) {
      for (const Subgroups subgroups : {Subgroups::off, Subgroups::automatic}) {
        for (const ScanMode mode : {ScanMode::exclusive, ScanMode::inclusive}) {
          scan.path = path;
          scan.subgroups = subgroups;
          scan.mode = mode;
          const auto checked = check_on_device(device(), scan);
          EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
        }
      }
    }
  }
};

class SplitCaseOnDevice : public ScanU64OnDevice,
                          public ::testing::WithParamInterface<SplitCase> {};

INSTANTIATE_TEST_SUITE_P(ScanU64, SplitCaseOnDevice, ::testing::ValuesIn(split_cases()),
                         [](const auto& tested) { return tested.param.name; });
INSTANTIATE_TEST_SUITE_P(M6, SplitCaseOnDevice, ::testing::ValuesIn(split_carries()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(SplitCaseOnDevice, both_paths_and_modes_equal_the_oracle) { expect_right(GetParam().scan); }

/// The operands from multiples of 16 bytes on.
ScanCase aligned(ScanCase scan) {
  for (auto* chunks : {&scan.input, &scan.output, &scan.input_high, &scan.output_high}) {
    for (Chunk& chunk : *chunks)
      chunk.byte_offset = 0;
  }
  return scan;
}

TEST_F(ScanU64OnDevice, contract_U_1_sizes_around_blocks_tiles_and_levels) {
  for (const std::uint64_t rows : {1u, 255u, 256u, 257u, 1023u, 1025u, 2049u, 65537u, 131072u}) {
    expect_right(split_scan({rows}, {rows}));
    expect_right(aligned(split_scan({rows}, {rows})));
  }
}

TEST_F(ScanU64OnDevice, contract_U_2_high_words_in_place_and_shifted) {
  for (const std::uint64_t rows : {1000u, 3001u}) {
    for (const std::uint64_t offset : {0u, 4u, 8u}) {
      ScanCase scan = split_scan({rows}, {rows}, 0);
      scan.output_high = scan.input_high;
      scan.output_high[0].byte_offset = offset;
      expect_right(scan);
    }
    ScanCase scan = aligned(split_scan({rows}, {rows}, 0));
    scan.output_high = scan.input_high;
    expect_right(scan);
  }
}

TEST_F(ScanU64OnDevice, contract_U_3_the_next_encode_reads_what_this_one_left) {
  for (const std::uint64_t offset : {4u, 8u}) {
    ScanCase scan = split_scan({600}, {600}, 0);
    scan.output_high = scan.input_high;
    scan.output_high[0].byte_offset = offset;
    Executable executable = must(Executable::create(device(), must(plan_for(device(), scan))));
    DeviceBuffers buffers(device(), scan.buffers);
    Image expected = image_before(scan);
    buffers.upload(expected);
    const auto imports = buffers.imports();
    for (int encode = 0; encode < 3; ++encode) {
      poison_slots(device(), executable);
      must(run(device(), executable, {.imports = imports}));
      expected = image_after(scan, std::move(expected));
      EXPECT_EQ(first_difference(scan, expected, buffers.download()), std::nullopt) << encode;
    }
  }
}

TEST_F(ScanU64OnDevice, contract_SC_16_counts_of_rows) {
  for (const std::uint32_t count : {0u, 1u, 255u, 999u, 1000u, 1001u, 0xffffffffu}) {
    expect_right(with_count(split_scan({1000}, {400, 600}), count));
    ScanCase scan = split_scan({1000}, {1000}, 0);
    scan.output_high = scan.input_high;
    scan.encoded_rows = std::min(count, 1000u);
    expect_right(scan);
  }
}

TEST_F(ScanU64OnDevice, contract_V_8_split_over_bindings_and_buffers) {
  ScanCase scan = split_scan({5000}, {2000, 3000});
  scan.limits = {"maxStorageBufferBindingSize=4099", "maxBufferSize=2048"};
  expect_right(scan);
}

TEST_F(ScanU64OnDevice, random_chunks_offsets_limits_and_counts) {
  const DeviceProfile offered = must(device().profile());
  const auto scans = random_split_scans();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomScan random = scans(rc::Random(seed), rc::kNominalSize).value();
    random.profile.capabilities.subgroups &= offered.capabilities.subgroups;
    std::uint64_t& invocations = random.profile.limits.max_compute_invocations_per_workgroup;
    invocations = std::max<std::uint64_t>(invocations, 64);
    const Plan plan = must(plan_scan(random.scan, random.profile));
    const auto checked = check_on_device(device(), random.scan, plan, 2);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << random;
  }
}

}  // namespace
}  // namespace wgprim::testing
