// What float32 rows come to (contract T-2, M8 to M13, M15), by bits, on every path, with and
// without subgroups: NaN, infinities, zeros of either sign, subnormals, and that runs repeat.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "reference/random_rows.hpp"
#include "support/family_on_device.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kNan = 0x7fc00000;
constexpr std::uint32_t kMinusZero = 0x80000000;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

Words bits_of(std::initializer_list<float> values) {
  Words words;
  for (const float value : values)
    words.push_back(bits(value));
  return words;
}

ScanCase floats(Words values, OperatorKind op, ScanMode mode = ScanMode::inclusive) {
  ScanCase scan = scan_of(std::move(values), mode);
  scan.format = Format::float32;
  scan.op = op;
  return scan;
}

ReduceCase reduced(const Words& values, OperatorKind op) {
  return {.rows = {values.size()}, .format = Format::float32, .op = op, .values = values};
}

class FloatRulesTest : public FamilyOnDevice {};

TEST_F(FloatRulesTest, M9_nan_in_min_and_max_is_the_result_wherever_it_stands) {
  const Words last = {bits(3), bits(1), bits(7), kNan};
  const Words first = {kNan, bits(3), bits(1), bits(7)};
  expect_output(floats(last, OperatorKind::min), {bits(3), bits(1), bits(1), kNan});
  expect_output(floats(last, OperatorKind::max), {bits(3), bits(3), bits(7), kNan});
  for (const OperatorKind op : {OperatorKind::min, OperatorKind::max}) {
    expect_output(floats(first, op), Words(4, kNan));
    expect_output(floats(Words(300, kNan), op), Words(300, kNan));
    expect_output(reduced(first, op), {kNan});
    expect_output(reduced(last, op), {kNan});
    expect_output(reduced(Words(300, kNan), op), {kNan});
  }
}

TEST_F(FloatRulesTest, M9_nan_at_the_edges_of_tiles) {
  for (const std::uint32_t nan : {kNan, 0xffc00001u}) {
    for (const std::size_t edge : {255u, 256u, 1023u, 1024u, 2099u}) {
      Words values(2100, bits(2));
      values[edge] = nan;
      expect_right(floats(values, OperatorKind::min));
      expect_output(reduced(values, OperatorKind::min), {nan});
    }
  }
}

TEST_F(FloatRulesTest, M9_nan_ends_with_its_segment) {
  const Words values = {bits(3), kNan, bits(1), bits(7)};
  expect_output(with_flags(floats(values, OperatorKind::min), {0, 0, 1, 0}),
                {bits(3), kNan, bits(1), bits(1)});
}

TEST_F(FloatRulesTest, M10_infinities_alone_stay_what_they_are) {
  const Words most(10, bits(kInfinity));
  const Words least(10, bits(-kInfinity));
  expect_output(floats(most, OperatorKind::min), most);
  expect_output(floats(least, OperatorKind::max), least);
  expect_output(reduced(most, OperatorKind::min), {bits(kInfinity)});
  expect_output(reduced(least, OperatorKind::max), {bits(-kInfinity)});
}

TEST_F(FloatRulesTest, M10_the_identities_are_infinities) {
  expect_output(floats(bits_of({3, 1}), OperatorKind::min, ScanMode::exclusive),
                bits_of({kInfinity, 3}));
  expect_output(reduced({}, OperatorKind::min), {bits(kInfinity)});
  expect_output(reduced({}, OperatorKind::max), {bits(-kInfinity)});
}

TEST_F(FloatRulesTest, M11_minus_zero_stays_and_is_less_than_zero) {
  const Words zeros(2, kMinusZero);
  expect_output(floats({kMinusZero}, OperatorKind::sum), {kMinusZero});
  expect_output(floats(zeros, OperatorKind::sum), zeros);
  expect_output(floats(zeros, OperatorKind::sum, ScanMode::exclusive), {0, 0});
  expect_output(reduced({kMinusZero}, OperatorKind::sum), {kMinusZero});
  expect_output(reduced(zeros, OperatorKind::sum), {kMinusZero});
  expect_output(floats({0, kMinusZero, 0}, OperatorKind::min), {0, kMinusZero, kMinusZero});
  expect_output(floats({kMinusZero, 0, kMinusZero}, OperatorKind::max), {kMinusZero, 0, 0});
  expect_output(reduced({0, kMinusZero}, OperatorKind::min), {kMinusZero});
  expect_output(reduced({kMinusZero, 0}, OperatorKind::max), {0});
}

TEST_F(FloatRulesTest, M12_subnormals_have_their_place_in_min_and_max) {
  const Words values = bits_of({2e-40f, 1e-40f, 0});
  expect_output(floats(values, OperatorKind::min), values);
  expect_output(reduced(bits_of({1e-40f, 2e-40f, -1e-40f}), OperatorKind::max), {bits(2e-40f)});
}

TEST_F(FloatRulesTest, M8_exclusive_is_a_shift) {
  expect_output(floats(bits_of({1, 1e30f, 1}), OperatorKind::sum, ScanMode::exclusive),
                bits_of({0, 1, 1e30f}));
  ScanCase greatest = scan_of({3, 1, 4, 0xffffffff, 5});
  greatest.op = OperatorKind::max;
  expect_output(greatest, {0, 3, 3, 4, 0xffffffff});
}

TEST_F(FloatRulesTest, M4_floats_add_up_as_floats_from_the_value_given) {
  const ScanCase scan = floats(bits_of({0.5f, 1.25f, 2.5f}), OperatorKind::sum);
  expect_output(starting_from(0.0f, scan), bits_of({0.5f, 1.75f, 4.25f}));
  expect_output(reduced(bits_of({0.5f, 1.25f, 2.5f}), OperatorKind::sum), {bits(4.25f)});
}

TEST_F(FloatRulesTest, M15_ones_behind_a_great_number_are_counted) {
  // A loop would not count them: 2^24 + 1 is 2^24.
  Words values(1 << 16, bits(1));
  values[0] = bits(1 << 24);
  for (const Way& way : ways()) {
    ScanCase scan = floats(values, OperatorKind::sum);
    scan.path = way.path;
    scan.subgroups = way.subgroups;
    const Image image = must(run_on_device(device(), scan, must(plan_for(device(), scan))));
    const float last = std::bit_cast<float>(rows_in(image, scan.output).back());
    EXPECT_NEAR(last, (1 << 24) + 65535, 512) << way;
  }
}

TEST_F(FloatRulesTest, M15_two_to_the_24_ones) {
  const bool is_slow = device().adapter().name.find("SwiftShader") != std::string::npos;
  const std::uint32_t rows = is_slow ? 1 << 20 : (1 << 24) + (1 << 12);
  const std::vector<float> ones(rows, 1);
  EXPECT_EQ(must(reduce(device(), ones)), static_cast<float>(rows));
}

/// Of either sign and 32 magnitudes, so that every order of additions rounds in its own way.
Words rough_numbers(std::uint64_t rows) {
  Words words = reference::random_rows(rows, 5);
  for (std::uint32_t& word : words)
    word = (word & 0x807fffff) | (112 + (word >> 8) % 32) << 23;
  return words;
}

TEST_F(FloatRulesTest, M13_contract_T_2_fifty_runs_give_the_same_bits) {
  const bool is_slow = device().adapter().name.find("SwiftShader") != std::string::npos;
  const std::uint64_t rows = is_slow ? 1 << 15 : 1 << 20;
  const Buffer input = make_buffer(device(), rough_numbers(rows));
  Buffer output = make_buffer(device(), Words(rows));
  const Import imports[] = {{"input", &input}, {"output", &output}};
  for (const Way& way : ways()) {
    Executable executable = must(compile_scan(device(), rows,
                                              {.mode = ScanMode::inclusive,
                                               .format = Format::float32,
                                               .path = way.path,
                                               .subgroups = way.subgroups}));
    EXPECT_TRUE(executable.plan().nodes[0].is_deterministic);
    Words first;
    for (int i = 0; i < 50; ++i) {
      poison_slots(device(), executable);
      must(run(device(), executable, {.imports = imports}));
      Words found = read_words(device(), output, rows);
      if (first.empty())
        first = std::move(found);
      else
        ASSERT_TRUE(first == found) << way << ", run " << i;
    }
  }
}

}  // namespace
}  // namespace wgprim::testing
