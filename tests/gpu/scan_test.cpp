// The scan on a device: the case table, then every size and configuration, each against the oracle
// word by word (support/scan_on_device.hpp).
#include <gtest/gtest.h>

#include <numeric>

#include "support/gpu_fixture.hpp"
#include "support/scan_on_device.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

class ScanTest : public GpuTest {
 protected:
  /// Every word of every buffer, after two runs.
  void expect_right(const ScanCase& scan, int runs = 2) {
    const auto checked = check_on_device(device(), scan, runs);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
  }

  /// The rows of a one-chunk output, for values that the case table states.
  Words output_of(const ScanCase& scan) {
    const Plan plan = must(plan_for(device(), scan));
    const Image image = must(run_on_device(device(), scan, plan));
    const Chunk& chunk = scan.output[0];
    const auto first =
        image[chunk.buffer].begin() + static_cast<std::ptrdiff_t>(chunk.byte_offset / 4);
    return {first, first + static_cast<std::ptrdiff_t>(chunk.rows)};
  }
};

ScanCase scan_of(Words values, ScanMode mode = ScanMode::exclusive) {
  ScanCase scan = separate_scan(values.size(), mode);
  scan.values = std::move(values);
  return scan;
}

/// i -> function(i) for the rows below `count`.
template <class Function>
Words generated(std::uint32_t count, Function function) {
  Words words(count);
  for (std::uint32_t i = 0; i < count; ++i)
    words[i] = function(i);
  return words;
}

TEST_F(ScanTest, case_A01) {
  for (const ScanCase& scan : {separate_scan(0), in_place_scan(0), chunked_scan({0, 0}, {0, 0}),
                               chunked_scan({0, 0}, {0, 5})}) {
    EXPECT_TRUE(must(plan_for(device(), scan)).dispatches.empty());
    expect_right(scan);
  }
}

TEST_F(ScanTest, case_A02_one_row) { EXPECT_EQ(output_of(scan_of({7})), Words{0}); }

TEST_F(ScanTest, case_A03_two_rows) { EXPECT_EQ(output_of(scan_of({0, 1})), (Words{0, 0})); }

TEST_F(ScanTest, case_A04_zeros) { EXPECT_EQ(output_of(scan_of(Words(63, 0))), Words(63, 0)); }

TEST_F(ScanTest, case_A05_ones) {
  EXPECT_EQ(output_of(scan_of(Words(64, 1))), generated(64, [](auto i) { return i; }));
}

TEST_F(ScanTest, case_A06_row_numbers) {
  const Words found = output_of(scan_of(generated(65, [](auto i) { return i; })));
  EXPECT_EQ(found, generated(65, [](auto i) { return i * (i - 1) / 2; }));
  EXPECT_EQ(found.back(), 2016u);
}

TEST_F(ScanTest, case_A10) {
  Words values = generated(65537, [](auto i) { return i % 7 + 1; });
  values[0] = 0xffffffff;
  const Words found = output_of(scan_of(std::move(values), ScanMode::inclusive));
  const std::pair<std::size_t, std::uint32_t> expected[] = {
      {0, 0xffffffff}, {1, 1}, {2, 4}, {255, 1016}, {256, 1021}, {65535, 262137}, {65536, 262140}};
  for (const auto& [row, value] : expected)
    EXPECT_EQ(found[row], value) << "row " << row;
}

TEST_F(ScanTest, case_A16) {
  ScanCase scan = chunked_scan({300, 0, 2}, {300, 0, 2});
  scan.values = Words(300, 1);
  scan.values.insert(scan.values.end(), {7, 8});
  const Image image = must(run_on_device(device(), scan, must(plan_for(device(), scan))));
  EXPECT_EQ(image[3][300], 299u);
  EXPECT_EQ(image[4], (Words{kSentinelBefore, kSentinelAfter}));
  EXPECT_EQ(image[5], (Words{kSentinelBefore, 300, 307, kSentinelAfter}));
}

TEST_F(ScanTest, case_A20) {
  using Rows = std::vector<std::uint64_t>;
  const std::pair<Rows, Rows> partitions[] = {{{6}, {6}},
                                              {{2, 4}, {2, 4}},
                                              {{0, 2, 0, 4, 0}, {0, 2, 0, 4, 0}},
                                              {{2, 0, 4}, {0, 1, 3, 2}},
                                              {{6}, {1, 0, 5}},
                                              {{3, 3}, {3, 3}}};
  for (const auto& [input, output] : partitions) {
    ScanCase scan = chunked_scan(input, output);
    scan.values = {1, 2, 3, 4, 5, 6};
    expect_right(scan);
    scan = chunked_scan(output, input);
    scan.values = {1, 2, 3, 4, 5, 6};
    expect_right(scan);
  }
  expect_right(chunked_scan({0, 257, 512, 0, 260, 0}, {1, 256, 700, 72}));
}

TEST_F(ScanTest, case_A27) {
  const ScanCase scan =
      scan_of(generated(65536, [](auto i) { return i % 5; }), ScanMode::inclusive);
  EXPECT_EQ(must(plan_for(device(), scan)).dispatches.size(), 3u);
  expect_right(scan);
}

TEST_F(ScanTest, case_B03) {
  const ScanCase scan = in_place_scan(65537, ScanMode::inclusive);
  ASSERT_EQ(scan.input, scan.output) << "the test really aliases";
  ASSERT_EQ(scan.buffers.size(), 1u);
  expect_right(scan);
}

TEST_F(ScanTest, case_J03) {
  EXPECT_EQ(output_of(scan_of(Words(257, 0xffffffff), ScanMode::inclusive)),
            generated(257, [](auto i) { return 0u - (i + 1); }));
}

TEST_F(ScanTest, contract_SC_7) {
  EXPECT_EQ(output_of(scan_of({3, 1, 4, 2})), (Words{0, 3, 4, 8}));
  EXPECT_EQ(output_of(scan_of({3, 1, 4, 2}, ScanMode::inclusive)), (Words{3, 4, 8, 10}));
  EXPECT_EQ(output_of(scan_of({1, 0, 1, 1})), (Words{0, 1, 1, 2}));
  EXPECT_EQ(output_of(scan_of({1, 0, 1, 1}, ScanMode::inclusive)), (Words{1, 1, 2, 3}));
}

TEST_F(ScanTest, M1_sums_beyond_every_bit) {
  for (const std::uint32_t value : {0x00100000u, 0x40000000u, 0x80000000u, 0xffffffffu}) {
    expect_right(scan_of(Words(1024 * 256 / 16, value), ScanMode::inclusive));
  }
}

TEST_F(ScanTest, M14_adding_a_zero_keeps_the_prefix) {
  Words values = generated(2000, [](auto i) { return i * 2654435761u; });
  for (std::size_t edge = 255; edge < values.size(); edge += 256)
    values[edge] = 0;
  const Words sums = output_of(scan_of(values, ScanMode::inclusive));
  for (std::size_t edge = 255; edge < values.size(); edge += 256) {
    EXPECT_EQ(sums[edge], sums[edge - 1]) << "row " << edge;
  }
}

/// Around lanes, subgroups, blocks and blocks of blocks; primes and odd multiples among them.
constexpr std::uint64_t kSizes[] = {
    0,    1,    2,    3,    4,    5,     7,     8,     31,    32,    33,    63,     64,
    65,   127,  128,  129,  255,  256,   257,   511,   512,   513,   769,   1023,   1024,
    1025, 4095, 4096, 4097, 7919, 11520, 65535, 65536, 65537, 65792, 65793, 131071, 131072};

/// Every configuration that does not change the result.
struct Configuration {
  ScanMode mode;
  Subgroups subgroups;
  bool is_in_place;
};

std::string name_of(const Configuration& wanted) {
  return concat(to_string(wanted.mode), "_subgroups_", to_string(wanted.subgroups),
                wanted.is_in_place ? "_in_place" : "_separate");
}

std::ostream& operator<<(std::ostream& stream, const Configuration& wanted) {
  return stream << name_of(wanted);
}

class ScanSizesTest : public ScanTest, public ::testing::WithParamInterface<Configuration> {
 protected:
  ScanCase case_of(std::uint64_t rows) {
    const Configuration& wanted = GetParam();
    ScanCase scan =
        wanted.is_in_place ? in_place_scan(rows, wanted.mode) : separate_scan(rows, wanted.mode);
    scan.subgroups = wanted.subgroups;
    return scan;
  }
};

TEST_P(ScanSizesTest, every_size_up_to_two_to_the_seventeenth) {
  if (GetParam().subgroups == Subgroups::on && !must(device().profile()).capabilities.subgroups) {
    GTEST_SKIP() << "the device offers no subgroups";
  }
  for (const std::uint64_t rows : kSizes)
    expect_right(case_of(rows));
}

INSTANTIATE_TEST_SUITE_P(
    , ScanSizesTest,
    ::testing::Values(Configuration{ScanMode::exclusive, Subgroups::off, false},
                      Configuration{ScanMode::exclusive, Subgroups::off, true},
                      Configuration{ScanMode::exclusive, Subgroups::on, false},
                      Configuration{ScanMode::exclusive, Subgroups::on, true},
                      Configuration{ScanMode::inclusive, Subgroups::off, false},
                      Configuration{ScanMode::inclusive, Subgroups::off, true},
                      Configuration{ScanMode::inclusive, Subgroups::on, false},
                      Configuration{ScanMode::inclusive, Subgroups::on, true}),
    [](const auto& test) { return name_of(test.param); });

TEST_F(ScanTest, large_sizes) {
  // SwiftShader takes minutes for more.
  const bool is_slow = device().adapter().name.find("SwiftShader") != std::string::npos;
  const std::vector<std::uint64_t> sizes =
      is_slow ? std::vector<std::uint64_t>{(1u << 20) + 1}
              : std::vector<std::uint64_t>{1u << 20, 4194305, 16776961, 16777217, (1u << 25) + 1};
  for (const std::uint64_t rows : sizes)
    expect_right(separate_scan(rows), 1);
}

}  // namespace
}  // namespace wgprim::testing
