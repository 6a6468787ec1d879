// Sums of f32 values with a bound on their error; see the header.
#include "reference/bounded_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wgprim::reference {
namespace {

constexpr double kFloatRounding = 0x1p-23;
constexpr double kDoubleRounding = 0x1p-53;
constexpr double kLeastNormal = 0x1p-126;

/// (1 + rounding)^additions - 1 without cancellation.
double relative_bound(double rounding, std::uint64_t additions) {
  return std::expm1(static_cast<double>(additions) * std::log1p(rounding));
}

}  // namespace

BoundedSum bounded_term(float value) {
  return {.sum = value, .magnitudes = std::abs(double{value}), .terms = 1};
}

std::vector<BoundedSum> bounded_terms(std::span<const float> values) {
  std::vector<BoundedSum> terms(values.size());
  std::ranges::transform(values, terms.begin(), bounded_term);
  return terms;
}

Operator<BoundedSum> bounded_sum() {
  return {.identity = {}, .combine = [](const BoundedSum& a, const BoundedSum& b) {
            return BoundedSum{a.sum + b.sum, a.magnitudes + b.magnitudes, a.terms + b.terms};
          }};
}

double error_bound(const BoundedSum& exact, std::uint64_t additions) {
  const std::uint64_t most = exact.terms == 0 ? 0 : exact.terms - 1;
  const double factor = relative_bound(kFloatRounding, std::min(additions, most));
  // Not "greatest > max", which is false of NaN.
  const double greatest = exact.magnitudes * (1 + factor);
  if (!(greatest <= double{std::numeric_limits<float>::max()})) {
    return std::numeric_limits<double>::infinity();
  }
  const double flushed = static_cast<double>(exact.terms + most) * kLeastNormal;
  return exact.magnitudes * (factor + relative_bound(kDoubleRounding, most)) + flushed;
}

bool is_within_bound(float found, const BoundedSum& exact, std::uint64_t additions) {
  const double bound = error_bound(exact, additions);
  return std::isinf(bound) || std::abs(found - exact.sum) <= bound;
}

}  // namespace wgprim::reference
