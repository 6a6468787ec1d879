// Segments, start values, carries, reverse, types and operators (contract SC-2, SC-7, SC-13, SC-14,
// T-1), by known values and by the oracle, on every path, run on the host.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/kernel_operator.hpp"
#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/stated_scans.hpp"

namespace wgprim::testing {
namespace {

constexpr ScanMode kModes[] = {ScanMode::exclusive, ScanMode::inclusive};

class ScanFamilyTest : public ::testing::TestWithParam<Path> {
 protected:
  /// The buffers after the scan; every word of them is as the oracle says.
  Image run(ScanCase scan) {
    scan.path = GetParam();
    const auto plan = plan_scan(scan);
    if (!plan) throw std::runtime_error(plan.error().message);
    DeviceProfile profile;
    for (const std::string& limit : scan.limits)
      EXPECT_TRUE(lower_limit(profile.limits, limit));
    EXPECT_EQ(find_faults(*plan, profile), std::vector<std::string>()) << scan;
    const auto checked = check_on_host(*plan, scan);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
    return interpret(*plan, image_before(scan)).value();
  }

  Words output_of(const ScanCase& scan) {
    return rows_in(run(scan), scan.output, scan.row_words());
  }

  void expect_stated(const StatedScans& scans) {
    for (const StatedScan& stated : scans)
      EXPECT_EQ(first_untruth(stated, run(stated.scan)), std::nullopt) << stated.scan;
  }

  std::uint32_t carry_out_of(const ScanCase& scan) {
    return run(scan)[scan.carry_out->buffer][scan.carry_out->byte_offset / 4];
  }
};

INSTANTIATE_TEST_SUITE_P(Paths, ScanFamilyTest,
                         ::testing::Values(Path::chained, Path::reduce_then_scan),
                         [](const auto& path) {
                           return path.param == Path::chained ? "chained" : "reduce_then_scan";
                         });

TEST_P(ScanFamilyTest, contract_SC_7) { expect_stated(scans_of_sc_7()); }
TEST_P(ScanFamilyTest, case_A02_to_A06) { expect_stated(scans_of_a02_to_a06()); }
TEST_P(ScanFamilyTest, case_A10) { expect_stated(scans_of_a10()); }
TEST_P(ScanFamilyTest, case_A11) { expect_stated(scans_of_a11()); }
TEST_P(ScanFamilyTest, case_A14) { expect_stated(scans_of_a14()); }
TEST_P(ScanFamilyTest, case_A16) { expect_stated(scans_of_a16()); }
TEST_P(ScanFamilyTest, case_A17) { expect_stated(scans_of_a17()); }
TEST_P(ScanFamilyTest, case_A20) { expect_stated(scans_of_a20()); }
TEST_P(ScanFamilyTest, case_A22) { expect_stated(scans_of_a22()); }
TEST_P(ScanFamilyTest, case_J03) { expect_stated(scans_of_j03()); }
TEST_P(ScanFamilyTest, case_K01) { expect_stated(scans_of_k01()); }
TEST_P(ScanFamilyTest, case_K02) { expect_stated(scans_of_k02()); }
TEST_P(ScanFamilyTest, case_K03) { expect_stated(scans_of_k03()); }

TEST_P(ScanFamilyTest, contract_SC_2_a_flag_on_row_0_ends_a_reverse_scan_with_nothing_open) {
  const ScanCase scan = with_carry_out(reversed(scan_of({1, 2, 3})));
  EXPECT_EQ(carry_out_of(with_flags(scan, {1, 0, 0})), 0u);
  EXPECT_EQ(carry_out_of(with_flags(scan, {0, 1, 0})), 1u);
  EXPECT_EQ(carry_out_of(with_flags(starting_from(9u, scan), {1, 0, 0})), 9u);
}

TEST_P(ScanFamilyTest, contract_SC_1_without_rows_carry_out_is_what_the_scan_starts_from) {
  const ScanCase nothing = with_carry_out(separate_scan(0));
  EXPECT_EQ(carry_out_of(nothing), 0u);
  EXPECT_EQ(carry_out_of(starting_from(7u, nothing)), 7u);
  EXPECT_EQ(carry_out_of(with_carry_in(nothing, {31})), 31u);
  const auto plan = plan_scan(nothing);
  EXPECT_EQ(plan->dispatches.size(), 1u);
}

TEST_P(ScanFamilyTest, contract_SC_13_pieces_that_hand_on_their_carry_are_one_scan) {
  const Words values = generated(3000, [](auto i) { return i * 2654435761u; });
  const Words whole = output_of(scan_of(values));
  Words pieced;
  std::uint32_t carry = 0;
  for (const auto& [first, count] : {std::pair{0, 1}, {1, 1024}, {1025, 0}, {1025, 1975}}) {
    ScanCase piece = scan_of(Words(values.begin() + first, values.begin() + first + count));
    piece = with_carry_out(with_carry_in(std::move(piece), {carry}));
    const Words output = output_of(piece);
    pieced.insert(pieced.end(), output.begin(), output.end());
    carry = carry_out_of(piece);
  }
  EXPECT_EQ(pieced, whole);
}

TEST_P(ScanFamilyTest, contract_T_1_every_type_and_operator_in_every_way) {
  std::vector<std::pair<Format, Operator>> kinds;
  for (const OperatorKind kind : {OperatorKind::sum, OperatorKind::min, OperatorKind::max}) {
    for (const Format format :
         {Format::uint32, Format::int32, Format::float32, Format::uint64, Format::int64})
      kinds.push_back({format, kind});
  }
  const Format records[] = {Format::uint32, Format::uint32x2, Format::uint32x3, Format::uint32x4};
  for (const CustomOperator& custom : custom_operators())
    kinds.push_back({records[custom.oracle.words - 1], custom.description()});
  for (const auto& [format, op] : kinds) {
    for (const std::uint64_t rows : {1u, 255u, 1025u, 2600u}) {
      ScanCase scan = with_rows_of(separate_scan(rows, ScanMode::inclusive), format, op);
      run(scan);
      run(with_flags(scan));
      scan.mode = ScanMode::exclusive;
      run(with_carry_out(with_flags(reversed(scan))));
    }
  }
}

TEST_P(ScanFamilyTest, open_rows_of_segments_that_span_many_blocks) {
  for (const std::uint32_t start : {0u, 255u, 257u, 40000u}) {
    Words flags(66000);
    flags[start] = 1;
    for (const ScanMode mode : kModes) {
      run(with_flags(separate_scan(66000, mode), flags));
      run(with_flags(reversed(separate_scan(66000, mode)), flags));
      run(with_flags(starting_from(3u, in_place_scan(66000, mode)), flags));
    }
  }
}

}  // namespace
}  // namespace wgprim::testing
