// The scan on a device: the case table, then every size and configuration, each against the oracle
// word by word (support/scan_on_device.hpp).
#include <gtest/gtest.h>

#include "support/family_on_device.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

class ScanTest : public FamilyOnDevice {};

TEST_F(ScanTest, case_A01) {
  for (const ScanCase& scan : {separate_scan(0), in_place_scan(0), chunked_scan({0, 0}, {0, 0}),
                               chunked_scan({0, 0}, {0, 5})}) {
    EXPECT_TRUE(must(plan_for(device(), scan)).dispatches.empty());
    expect_right(scan);
  }
}

TEST_F(ScanTest, case_A02_to_A06) { expect_stated(scans_of_a02_to_a06()); }
TEST_F(ScanTest, case_A10) { expect_stated(scans_of_a10()); }
TEST_F(ScanTest, case_A11) { expect_stated(scans_of_a11()); }
TEST_F(ScanTest, case_A14) { expect_stated(scans_of_a14()); }
TEST_F(ScanTest, case_A16) { expect_stated(scans_of_a16()); }
TEST_F(ScanTest, case_A17) { expect_stated(scans_of_a17()); }
TEST_F(ScanTest, case_A20) { expect_stated(scans_of_a20()); }
TEST_F(ScanTest, case_A22) { expect_stated(scans_of_a22()); }
TEST_F(ScanTest, case_J03) { expect_stated(scans_of_j03()); }
TEST_F(ScanTest, case_K01) { expect_stated(scans_of_k01()); }
TEST_F(ScanTest, case_K02) { expect_stated(scans_of_k02()); }
TEST_F(ScanTest, case_K03) { expect_stated(scans_of_k03()); }
TEST_F(ScanTest, contract_SC_7) { expect_stated(scans_of_sc_7()); }

TEST_F(ScanTest, case_A20_of_several_blocks) {
  expect_right(chunked_scan({0, 257, 512, 0, 260, 0}, {1, 256, 700, 72}));
}

TEST_F(ScanTest, case_A27) {
  const ScanCase scan =
      scan_of(generated(65536, [](auto i) { return i % 5; }), ScanMode::inclusive);
  EXPECT_EQ(must(plan_for(device(), scan)).dispatches.size(), 3u);
  expect_right(scan);
}

/// Around lanes, subgroups, blocks, tiles and blocks of blocks; primes and odd multiples among
/// them.
constexpr std::uint64_t kSizes[] = {127,   128,   129,   255,   256,   257,    511,   512,
                                    513,   769,   1023,  1024,  1025,  2047,   2048,  2049,
                                    3071,  3072,  3073,  4095,  4096,  4097,   7919,  11520,
                                    65535, 65536, 65537, 65792, 65793, 131071, 131072};

/// Every configuration that does not change the result.
struct Configuration {
  Way way;
  ScanMode mode;
  bool is_in_place;
};

std::string name_of(const Configuration& wanted) {
  return concat(wanted.way.path == Path::chained ? "chained" : "reduce_then_scan", "_subgroups_",
                to_string(wanted.way.subgroups), "_", to_string(wanted.mode),
                wanted.is_in_place ? "_in_place" : "_separate");
}

std::ostream& operator<<(std::ostream& stream, const Configuration& wanted) {
  return stream << name_of(wanted);
}

class ScanSizesTest : public ScanTest, public ::testing::WithParamInterface<Configuration> {
 protected:
  void SetUp() override {
    ScanTest::SetUp();
    if (GetParam().way.subgroups == Subgroups::on &&
        !must(device().profile()).capabilities.subgroups) {
      GTEST_SKIP() << "the device offers no subgroups";
    }
  }

  void expect_right_for(std::uint64_t rows) {
    const auto& [way, mode, is_in_place] = GetParam();
    ScanCase scan = is_in_place ? in_place_scan(rows, mode) : separate_scan(rows, mode);
    scan.path = way.path;
    scan.subgroups = way.subgroups;
    const auto checked = check_on_device(device(), scan);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
  }
};

TEST_P(ScanSizesTest, S3_fewer_rows_than_a_tile) {
  for (std::uint64_t rows = 0; rows <= 66; ++rows)
    expect_right_for(rows);
}

TEST_P(ScanSizesTest, S6_S8_every_size_up_to_two_to_the_seventeenth) {
  for (const std::uint64_t rows : kSizes)
    expect_right_for(rows);
}

constexpr Way kChained = {Path::chained, Subgroups::off};
constexpr Way kChainedOn = {Path::chained, Subgroups::on};
constexpr Way kTiles = {Path::reduce_then_scan, Subgroups::off};
constexpr Way kTilesOn = {Path::reduce_then_scan, Subgroups::on};

INSTANTIATE_TEST_SUITE_P(, ScanSizesTest,
                         ::testing::Values(Configuration{kChained, ScanMode::exclusive, false},
                                           Configuration{kChained, ScanMode::inclusive, true},
                                           Configuration{kChainedOn, ScanMode::exclusive, true},
                                           Configuration{kChainedOn, ScanMode::inclusive, false},
                                           Configuration{kTiles, ScanMode::exclusive, true},
                                           Configuration{kTiles, ScanMode::inclusive, false},
                                           Configuration{kTilesOn, ScanMode::exclusive, false},
                                           Configuration{kTilesOn, ScanMode::inclusive, true}),
                         [](const auto& test) { return name_of(test.param); });

TEST_F(ScanTest, S4_S5_S9_large_sizes) {
  // SwiftShader takes minutes for more.
  const bool is_slow = device().adapter().name.find("SwiftShader") != std::string::npos;
  const std::vector<std::uint64_t> sizes =
      is_slow ? std::vector<std::uint64_t>{1001000, (1u << 20) + 1}
              : std::vector<std::uint64_t>{1001000,  1u << 20, 4194305,       16776960,
                                           16776961, 16777217, (1u << 25) + 1};
  for (const std::uint64_t rows : sizes) {
    ScanCase scan = separate_scan(rows);
    scan.path = rows % 2 == 0 ? Path::reduce_then_scan : Path::chained;
    const auto checked = check_on_device(device(), scan, 1);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
  }
}

}  // namespace
}  // namespace wgprim::testing
