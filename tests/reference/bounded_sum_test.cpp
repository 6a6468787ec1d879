// Bounds on the error of f32 sums: true sums are accepted in any order, wrong ones are not.
#include "reference/bounded_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "reference/reduce.hpp"

namespace wgprim::reference {
namespace {

std::vector<float> random_values(std::size_t count, std::mt19937& random) {
  std::vector<float> values(count);
  std::ranges::generate(values, [&] {
    return std::ldexp(static_cast<float>(random() % 2001) - 1000, static_cast<int>(random() % 20));
  });
  return values;
}

float pairwise(std::span<const float> values) {
  if (values.size() == 1) return values[0];
  const std::size_t half = values.size() / 2;
  return pairwise(values.first(half)) + pairwise(values.subspan(half));
}

BoundedSum bounded(std::span<const float> values) {
  return reduce<BoundedSum>(bounded_terms(values), bounded_sum());
}

TEST(BoundedSumTest, accepts_sums_in_any_order) {
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<float> values = random_values(1 + random() % 2000, random);
    const BoundedSum exact = bounded(values);
    float sum = 0;
    for (const float value : values)
      sum += value;
    EXPECT_TRUE(is_within_bound(sum, exact));
    EXPECT_TRUE(is_within_bound(pairwise(values), exact, 11));
    std::ranges::shuffle(values, random);
    EXPECT_TRUE(is_within_bound(pairwise(values), exact, 11));
  }
}

TEST(BoundedSumTest, refuses_a_sum_that_lacks_a_term) {
  std::vector<float> values(1000, 1.0f);
  const BoundedSum exact = bounded(values);
  EXPECT_TRUE(is_within_bound(1000.0f, exact));
  EXPECT_FALSE(is_within_bound(999.0f, exact));
  EXPECT_FALSE(is_within_bound(std::numeric_limits<float>::quiet_NaN(), exact));
  EXPECT_NEAR(error_bound(exact), 999 * 1000 * 0x1p-23, 1e-4);
  EXPECT_NEAR(error_bound(exact, 10), 10 * 1000 * 0x1p-23, 1e-6);
}

TEST(BoundedSumTest, of_one_term_or_none_is_exact) {
  EXPECT_TRUE(is_within_bound(0.1f, bounded_term(0.1f)));
  EXPECT_FALSE(is_within_bound(std::nextafter(0.1f, 1.0f), bounded_term(0.1f)));
  EXPECT_TRUE(is_within_bound(-0.0f, {}));
  EXPECT_FALSE(is_within_bound(1e-30f, {}));
}

TEST(BoundedSumTest, allows_for_flushed_subnormals) {
  EXPECT_TRUE(is_within_bound(0.0f, bounded_term(0x1p-127f)));
  EXPECT_FALSE(is_within_bound(0.0f, bounded_term(0x1p-120f)));
}

TEST(BoundedSumTest, says_nothing_where_the_device_may_overflow_or_has_no_numbers) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float greatest = std::numeric_limits<float>::max();
  for (const std::vector<float>& values :
       {std::vector{infinity}, {infinity, -infinity}, {std::nanf("")}, {greatest, -greatest}}) {
    EXPECT_TRUE(std::isinf(error_bound(bounded(values))));
    EXPECT_TRUE(is_within_bound(0, bounded(values)));
  }
  EXPECT_FALSE(std::isinf(error_bound(bounded(std::vector{greatest}))));
}

TEST(BoundedSumTest, bounds_every_row_of_a_scan) {
  std::mt19937 random(2);
  const std::vector<float> values = random_values(500, random);
  std::vector<std::uint32_t> flags(values.size());
  std::ranges::generate(flags, [&] { return random() % 50 == 0; });
  const auto bounds = scan<BoundedSum>(
      bounded_terms(values), bounded_sum(),
      {.mode = ScanMode::inclusive, .segment_flags = flags, .init = bounded_term(7)});
  float total = 7;
  for (std::size_t row = 0; row < values.size(); ++row) {
    total = (flags[row] != 0 ? 7 : total) + values[row];
    EXPECT_TRUE(is_within_bound(total, bounds.output[row])) << row;
    EXPECT_FALSE(is_within_bound(total + static_cast<float>(2 * error_bound(bounds.output[row])) +
                                     std::abs(total) * 0x1p-20f + 1e-30f,
                                 bounds.output[row]))
        << row;
  }
}

}  // namespace
}  // namespace wgprim::reference
