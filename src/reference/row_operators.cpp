// Operators on rows of words; see the header.
#include "reference/row_operators.hpp"

#include <algorithm>
#include <concepts>
#include <limits>
#include <type_traits>

namespace wgprim::reference {
namespace {

constexpr std::uint32_t kSignBit = 0x80000000;
constexpr std::uint32_t kKeyOfMinusInfinity = 0x007fffff;  // f32_order_key(0xff800000)
constexpr std::uint32_t kKeyOfPlusInfinity = 0xff800000;   // f32_order_key(0x7f800000)

/// The operator on rows that `combine` is on values.
template <RowValue T>
RowOperator on_values(T identity, T (*combine)(T, T)) {
  const auto on_rows = [combine](const Row& a, const Row& b) {
    return to_row(combine(from_row<T>(a), from_row<T>(b)));
  };
  return {{.identity = to_row(identity), .combine = on_rows}, sizeof(T) / 4};
}

template <std::integral T>
RowOperator integer_sum() {
  return on_values<T>(0, [](T a, T b) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  });
}

template <std::integral T>
RowOperator integer_min() {
  return on_values<T>(std::numeric_limits<T>::max(), [](T a, T b) { return std::min(a, b); });
}

template <std::integral T>
RowOperator integer_max() {
  return on_values<T>(std::numeric_limits<T>::lowest(), [](T a, T b) { return std::max(a, b); });
}

RowOperator f32_sum() {
  RowOperator sum = on_values<float>(-0.0f, [](float a, float b) { return a + b; });
  sum.exclusive_start = to_row(0.0f);
  return sum;
}

// Both work on the bits: a float that is passed on may lose which NaN it is.
RowOperator f32_min() {
  return on_values<std::uint32_t>(0x7f800000, [](std::uint32_t a, std::uint32_t b) {
    return f32_min_key(b) < f32_min_key(a) ? b : a;
  });
}

RowOperator f32_max() {
  return on_values<std::uint32_t>(0xff800000, [](std::uint32_t a, std::uint32_t b) {
    return f32_max_key(b) > f32_max_key(a) ? b : a;
  });
}

}  // namespace

std::span<const ElementType> element_types() {
  using enum ElementType;
  static constexpr ElementType kTypes[] = {u32, i32, f32, u64, i64};
  return kTypes;
}

const char* to_string(ElementType type) {
  switch (type) {
    case ElementType::u32: return "u32";
    case ElementType::i32: return "i32";
    case ElementType::f32: return "f32";
    case ElementType::u64: return "u64";
    case ElementType::i64: break;
  }
  return "i64";
}

RowOperator sum_of(ElementType type) {
  switch (type) {
    case ElementType::u32: return integer_sum<std::uint32_t>();
    case ElementType::i32: return integer_sum<std::int32_t>();
    case ElementType::f32: return f32_sum();
    case ElementType::u64: return integer_sum<std::uint64_t>();
    case ElementType::i64: break;
  }
  return integer_sum<std::int64_t>();
}

RowOperator min_of(ElementType type) {
  switch (type) {
    case ElementType::u32: return integer_min<std::uint32_t>();
    case ElementType::i32: return integer_min<std::int32_t>();
    case ElementType::f32: return f32_min();
    case ElementType::u64: return integer_min<std::uint64_t>();
    case ElementType::i64: break;
  }
  return integer_min<std::int64_t>();
}

RowOperator max_of(ElementType type) {
  switch (type) {
    case ElementType::u32: return integer_max<std::uint32_t>();
    case ElementType::i32: return integer_max<std::int32_t>();
    case ElementType::f32: return f32_max();
    case ElementType::u64: return integer_max<std::uint64_t>();
    case ElementType::i64: break;
  }
  return integer_max<std::int64_t>();
}

std::uint32_t f32_order_key(std::uint32_t bits) {
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

std::uint32_t f32_min_key(std::uint32_t bits) {
  return f32_order_key(bits) + (std::numeric_limits<std::uint32_t>::max() - kKeyOfPlusInfinity);
}

std::uint32_t f32_max_key(std::uint32_t bits) { return f32_order_key(bits) - kKeyOfMinusInfinity; }

RowOperator matrix_product() {
  const auto product = [](const Row& a, const Row& b) {
    return Row{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],  //
               a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
  };
  return {{.identity = {1, 0, 0, 1}, .combine = product}, 4};
}

RowOperator affine_composition() {
  const auto composition = [](const Row& f, const Row& g) {
    return Row{g[0] * f[0], g[0] * f[1] + g[1]};
  };
  return {{.identity = {1, 0}, .combine = composition}, 2};
}

RowOperator last_nonzero() {
  return on_values<std::uint32_t>(
      0, [](std::uint32_t earlier, std::uint32_t later) { return later != 0 ? later : earlier; });
}

RowOperator unitriangular_product() {
  const auto product = [](const Row& a, const Row& b) {
    return Row{a[0] + b[0], a[1] + b[1], a[2] + b[2] + a[0] * b[1]};
  };
  return {{.identity = {0, 0, 0}, .combine = product}, 3};
}

}  // namespace wgprim::reference
