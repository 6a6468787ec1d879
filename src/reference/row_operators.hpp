// The operators that scans and reductions of rows take: sum, min and max of every type, and custom
// ones that do not commute, for tests. Used with row_scan.hpp and row_reduce.hpp.
#pragma once

#include <cstdint>
#include <span>

#include "reference/row.hpp"
#include "reference/scan.hpp"

namespace wgprim::reference {

enum class ElementType { u32, i32, f32, u64, i64 };

/// All types in the order of their declaration.
std::span<const ElementType> element_types();
const char* to_string(ElementType type);

/// An associative operator on rows of `words` words, 1 to kMaxRowWords. A custom one:
/// RowOperator{{.identity = Row{...}, .combine = [](const Row& a, const Row& b) {...}}, words}.
struct RowOperator : Operator<Row> {
  std::uint32_t words = 1;
};

/// Integers wrap. f32 adds in float, one row after the other. Its identity is -0.0, since
/// x + -0.0 is x for every x: the inclusive scan and the reduction of [-0.0] are -0.0, and a
/// reduction of nothing is -0.0 too (which equals 0). Exclusive scans start at +0.0.
RowOperator sum_of(ElementType type);

/// Identities: the greatest value of the type for min, the least for max; +inf and -inf for f32.
///
/// f32 is compared by integer keys that order all 2^32 bit patterns, and a result is always one of
/// the operands, bit for bit: on every machine the same, in whatever order rows are combined.
/// -0.0 < +0.0. For min every NaN ranks below -inf, for max above +inf, so that a NaN of either
/// sign on either side is the result. Of two NaNs both give the one that f32_min_key or
/// f32_max_key ranks first; compare with "both are NaN" where a device may change NaNs.
RowOperator min_of(ElementType type);
RowOperator max_of(ElementType type);

/// The bits of an f32 as an integer that orders like the value: -NaN < -inf < ... < -0.0 < +0.0 <
/// ... < +inf < +NaN. One-to-one.
std::uint32_t f32_order_key(std::uint32_t bits);
/// The same, turned round until every NaN is below -inf and +inf, the identity, is the greatest.
std::uint32_t f32_min_key(std::uint32_t bits);
/// The same, turned round until every NaN is above +inf and -inf, the identity, is the least.
std::uint32_t f32_max_key(std::uint32_t bits);

/// Products of 2x2 matrices (rows of 4 words, row-major) modulo 2^32: combine(a, b) = a * b.
RowOperator matrix_product();

/// Maps x -> a*x + b modulo 2^32 (2 words: a, b), the first operand applied first:
/// combine(f, g) = g after f = (g.a * f.a, g.a * f.b + g.b).
RowOperator affine_composition();

/// The later operand, or the earlier one where the later is 0 (1 word).
RowOperator last_nonzero();

/// Products of unitriangular 3x3 matrices modulo 2^32, above whose diagonal of ones stand x and y,
/// and z in the corner (3 words: x, y, z): combine(a, b) = (a.x + b.x, a.y + b.y,
/// a.z + b.z + a.x * b.y).
RowOperator unitriangular_product();

}  // namespace wgprim::reference
