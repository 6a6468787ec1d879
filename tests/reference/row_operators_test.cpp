// Operators on rows: values against the standard library, the laws that scans rely on, and the
// corners of f32.
#include "reference/row_operators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/row_test_support.hpp"

namespace wgprim::reference {
namespace {

constexpr std::uint32_t kPlusNaN = 0x7fc00000;
constexpr std::uint32_t kMinusNaN = 0xffc00000;
constexpr std::uint32_t kSignallingNaN = 0x7f800001;
constexpr std::uint32_t kPlusInfinity = 0x7f800000;
constexpr std::uint32_t kMinusInfinity = 0xff800000;
constexpr std::uint32_t kPlusZero = 0x00000000;
constexpr std::uint32_t kMinusZero = 0x80000000;

bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffff) > kPlusInfinity; }

std::uint32_t combine(const RowOperator& op, std::uint32_t a, std::uint32_t b) {
  return op.combine(Row{a}, Row{b})[0];
}

/// Bits of f32 values: every corner, and any.
Words f32_samples() {
  Words bits{kPlusNaN,   kMinusNaN,  kSignallingNaN, 0xff800001,     0x7fffffff, 0xffffffff,
             kPlusZero,  kMinusZero, kPlusInfinity,  kMinusInfinity, 0x00000001, 0x80000001,
             0x007fffff, 0x00800000, 0x7f7fffff,     0xff7fffff};
  std::mt19937 random(7);
  std::generate_n(std::back_inserter(bits), 200, std::ref(random));
  return bits;
}

TEST(RowOperatorsTest, combine_as_the_standard_library_does) {
  std::mt19937_64 random(1);
  for_each_type([&]<typename T>(ElementType type) {
    for (int round = 0; round < 1000; ++round) {
      const Row a{static_cast<std::uint32_t>(random()),
                  sizeof(T) == 8 ? static_cast<std::uint32_t>(random()) : 0};
      const Row b{static_cast<std::uint32_t>(random()),
                  sizeof(T) == 8 ? static_cast<std::uint32_t>(random()) : 0};
      const T x = from_row<T>(a);
      const T y = from_row<T>(b);
      if (x != x || y != y) continue;  // NaN has tests of its own.
      EXPECT_EQ(min_of(type).combine(a, b), to_row(std::min(x, y))) << to_string(type);
      EXPECT_EQ(max_of(type).combine(a, b), to_row(std::max(x, y))) << to_string(type);
      if constexpr (std::is_floating_point_v<T>) {
        EXPECT_EQ(sum_of(type).combine(a, b), to_row(x + y));
      }
    }
  });
}

TEST(RowOperatorsTest, integer_sums_wrap) {
  for_each_type([]<typename T>(ElementType type) {
    if constexpr (std::is_integral_v<T>) {
      const Row most = to_row(std::numeric_limits<T>::max());
      const Row least = to_row(std::numeric_limits<T>::min());
      EXPECT_EQ(sum_of(type).combine(most, to_row<T>(1)), least) << to_string(type);
      EXPECT_EQ(sum_of(type).combine(least, to_row(static_cast<T>(-1))), most) << to_string(type);
    }
  });
  EXPECT_EQ(sum_of(ElementType::u64).combine(Row{0xffffffff, 0}, Row{1, 0}), (Row{0, 1}));
  EXPECT_EQ(sum_of(ElementType::i64).combine(Row{0, 0xffffffff}, Row{0, 1}), (Row{0, 0}));
}

TEST(RowOperatorsTest, i32_and_i64_compare_signed) {
  EXPECT_EQ(combine(min_of(ElementType::i32), 0xffffffff, 1), 0xffffffff);
  EXPECT_EQ(combine(max_of(ElementType::i32), 0xffffffff, 1), 1u);
  EXPECT_EQ(combine(min_of(ElementType::u32), 0xffffffff, 1), 1u);
  const Row minus_one{0xffffffff, 0xffffffff};
  EXPECT_EQ(min_of(ElementType::i64).combine(minus_one, Row{1, 0}), minus_one);
  EXPECT_EQ(min_of(ElementType::u64).combine(minus_one, Row{1, 0}), (Row{1, 0}));
}

TEST(RowOperatorsTest, words_of_a_row) {
  EXPECT_EQ(sum_of(ElementType::f32).words, 1u);
  EXPECT_EQ(min_of(ElementType::u64).words, 2u);
  EXPECT_EQ(max_of(ElementType::i64).words, 2u);
  EXPECT_EQ(to_words(std::vector<std::uint64_t>{0x100000002, 3}), (Words{2, 1, 3, 0}));
  EXPECT_EQ(from_words<std::int64_t>(Words{0xfffffffe, 0xffffffff}),
            (std::vector<std::int64_t>{-2}));
}

TEST(RowOperatorsTest, identities_are_neutral_on_both_sides) {
  std::mt19937 random(2);
  for (const auto& [name, op] : exact_operators()) {
    const Words words = random_row_words(500, op, random);
    const PackedRows rows(words, op.words);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(op.combine(op.identity, rows[i]), rows[i]) << name;
      EXPECT_EQ(op.combine(rows[i], op.identity), rows[i]) << name;
    }
  }
  for (const std::uint32_t bits : f32_samples()) {
    for (const RowOperator& op : {min_of(ElementType::f32), max_of(ElementType::f32)}) {
      EXPECT_EQ(combine(op, op.identity[0], bits), bits);
      EXPECT_EQ(combine(op, bits, op.identity[0]), bits);
    }
    const RowOperator sum = sum_of(ElementType::f32);
    if (!is_nan(bits)) {
      EXPECT_EQ(combine(sum, sum.identity[0], bits), bits);
    }
  }
}

TEST(RowOperatorsTest, are_associative) {
  std::mt19937 random(3);
  for (const auto& [name, op] : exact_operators()) {
    const Words words = random_row_words(3 * 500, op, random);
    const PackedRows rows(words, op.words);
    for (std::size_t i = 0; i + 2 < rows.size(); i += 3) {
      EXPECT_EQ(op.combine(op.combine(rows[i], rows[i + 1]), rows[i + 2]),
                op.combine(rows[i], op.combine(rows[i + 1], rows[i + 2])))
          << name;
    }
  }
}

TEST(RowOperatorsTest, custom_ones_do_not_commute) {
  std::mt19937 random(4);
  for (const auto& [name, op] : custom_operators()) {
    const Words words = random_row_words(200, op, random);
    const PackedRows rows(words, op.words);
    std::size_t differing = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
      if (op.combine(rows[i], rows[i + 1]) != op.combine(rows[i + 1], rows[i])) ++differing;
    }
    EXPECT_GT(differing, 40u) << name;
  }
}

TEST(RowOperatorsTest, custom_ones_by_hand) {
  EXPECT_EQ(matrix_product().combine(Row{1, 2, 3, 4}, Row{5, 6, 7, 8}), (Row{19, 22, 43, 50}));
  EXPECT_EQ(affine_composition().combine(Row{2, 3}, Row{5, 7}), (Row{10, 22}));
  EXPECT_EQ(last_nonzero().combine(Row{4}, Row{9}), Row{9});
  EXPECT_EQ(last_nonzero().combine(Row{4}, Row{0}), Row{4});
  EXPECT_EQ(unitriangular_product().combine(Row{1, 2, 3}, Row{4, 5, 6}), (Row{5, 7, 14}));
}

TEST(F32MinMaxTest, identities_are_infinities) {
  EXPECT_EQ(min_of(ElementType::f32).identity, Row{kPlusInfinity});
  EXPECT_EQ(max_of(ElementType::f32).identity, Row{kMinusInfinity});
}

TEST(F32MinMaxTest, minus_zero_is_below_plus_zero) {
  for (const auto& [a, b] : {std::pair(kPlusZero, kMinusZero), {kMinusZero, kPlusZero}}) {
    EXPECT_EQ(combine(min_of(ElementType::f32), a, b), kMinusZero);
    EXPECT_EQ(combine(max_of(ElementType::f32), a, b), kPlusZero);
  }
}

TEST(F32MinMaxTest, nan_of_either_sign_propagates_from_either_side) {
  for (const RowOperator& op : {min_of(ElementType::f32), max_of(ElementType::f32)}) {
    for (const std::uint32_t nan : {kPlusNaN, kMinusNaN, kSignallingNaN, 0xff800001u}) {
      for (const std::uint32_t other : f32_samples()) {
        if (is_nan(other)) continue;
        EXPECT_EQ(combine(op, nan, other), nan);
        EXPECT_EQ(combine(op, other, nan), nan);
      }
    }
  }
}

TEST(F32MinMaxTest, any_order_gives_the_same_bits) {
  const Words samples = f32_samples();
  for (const RowOperator& op : {min_of(ElementType::f32), max_of(ElementType::f32)}) {
    for (const std::uint32_t a : samples) {
      for (const std::uint32_t b : samples) {
        const std::uint32_t result = combine(op, a, b);
        EXPECT_EQ(result, combine(op, b, a));
        EXPECT_TRUE(result == a || result == b);
        EXPECT_EQ(is_nan(result), is_nan(a) || is_nan(b));
      }
    }
  }
}

TEST(F32MinMaxTest, keys_order_like_values_with_nan_at_the_losing_end) {
  const Words ascending{kMinusInfinity, 0xff7fffff, 0xbf800000, 0x80000001, kMinusZero,
                        kPlusZero,      0x00000001, 0x3f800000, 0x7f7fffff, kPlusInfinity};
  for (const auto key : {f32_order_key, f32_min_key, f32_max_key})
    EXPECT_TRUE(std::ranges::is_sorted(ascending, {}, key));
  EXPECT_EQ(f32_min_key(kPlusInfinity), 0xffffffffu);
  EXPECT_EQ(f32_max_key(kMinusInfinity), 0u);
  for (const std::uint32_t nan : {kPlusNaN, kMinusNaN, kSignallingNaN, 0xff800001u, 0xffffffffu}) {
    EXPECT_LT(f32_min_key(nan), f32_min_key(kMinusInfinity));
    EXPECT_GT(f32_max_key(nan), f32_max_key(kPlusInfinity));
  }
}

}  // namespace
}  // namespace wgprim::reference
