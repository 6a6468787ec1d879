// How far a sum of f32 values may be from the truth: the sum in double, with what a bound on the
// error of any f32 summation needs. Scans and reductions of bounded_terms with bounded_sum() give
// one BoundedSum for each row of the f32 result; is_within_bound compares.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reference/scan.hpp"

namespace wgprim::reference {

struct BoundedSum {
  double sum = 0;         ///< Of the terms, one after the other in double.
  double magnitudes = 0;  ///< Of the terms' absolute values.
  std::uint64_t terms = 0;

  bool operator==(const BoundedSum&) const = default;
};

/// One term: also for the init and carry_in of a scan.
BoundedSum bounded_term(float value);
std::vector<BoundedSum> bounded_terms(std::span<const float> values);

/// Adds sums, magnitudes and terms. The identity is the sum of no terms.
Operator<BoundedSum> bounded_sum();

/// Stands for as many additions as there are terms but one, the most that any order makes of them.
inline constexpr std::uint64_t kAnyOrder = std::numeric_limits<std::uint64_t>::max();

/// The most that a sum of these terms in f32 may differ from `sum` in whatever order they are
/// added, no term going through more than `additions` additions to others. (Those to +0.0 and -0.0
/// are exact and do not count.)
///
/// Each addition is off by a factor of 1 + d with |d| <= u, and so a term by one of at most
/// (1 + u)^additions, which gives
///   |found - exact| <= ((1 + u)^additions - 1) * sum |x_i|  (<= gamma_additions * sum |x_i|,
///   gamma_k = k u / (1 - k u), where k u < 1):
/// N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, section 4.2
/// with lemma 3.1. The form with the power holds for any number of terms. u is 2^-23, not 2^-24:
/// WGSL specifies no rounding mode. To that come the same for the double sum, with 2^-53 and all
/// additions, and 2^-126 for each term and each addition, since devices may flush subnormals to 0.
///
/// Infinite where nothing can be said: a term is infinite or NaN, or a partial sum might overflow.
double error_bound(const BoundedSum& exact, std::uint64_t additions = kAnyOrder);

/// Whether `found` is no further from the sum than error_bound; any value is where that is
/// infinite.
bool is_within_bound(float found, const BoundedSum& exact, std::uint64_t additions = kAnyOrder);

}  // namespace wgprim::reference
