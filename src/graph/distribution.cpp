// Nearest-rank statistics of samples and the step of their clock; called by the benchmarks and the
// inspector.
#include "wgprim/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "wgprim/detail/text.hpp"

namespace wgprim {

Result<Distribution> distribution_of(std::vector<double> samples) {
  if (samples.empty()) {
    return fail(ErrorCode::invalid_argument, "0 samples have no median; at least 1 is needed.");
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (std::isfinite(samples[i])) continue;
    return fail(ErrorCode::invalid_argument,
                concat("Sample ", i, " of ", samples.size(), " is not a finite number."));
  }
  std::ranges::sort(samples);
  // The smallest sample that at least this share of the samples does not exceed.
  const auto at_percent = [&](std::size_t percent) {
    return samples[(samples.size() * percent + 99) / 100 - 1];
  };
  return Distribution{samples.front(), at_percent(50), at_percent(95), samples.back()};
}

double clock_step(const std::vector<double>& times) {
  constexpr double kNothing = 0.25;  // Nanoseconds; below any clock's step, above rounding.
  double step = 0;
  for (double rest : times) {
    while (rest > kNothing)
      step = std::exchange(rest, std::fmod(step, rest));
  }
  return step;
}

}  // namespace wgprim
