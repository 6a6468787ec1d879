// What a set of measured samples comes to: minimum, median, 95th percentile, maximum; and the step
// of the clock that measured them.
#pragma once

#include <vector>

#include "wgprim/result.hpp"

namespace wgprim {

/// All by nearest rank, so each is one of the samples: of [4, 1, 3, 2] they are 1, 2, 4 and 4.
struct Distribution {
  double min = 0;
  double median = 0;
  double p95 = 0;
  double max = 0;
  bool operator==(const Distribution&) const = default;
};

/// Errors: no samples, or one that is infinite or not a number (invalid_argument).
Result<Distribution> distribution_of(std::vector<double> samples);

/// The longest step that all times (nanoseconds) are whole numbers of; 0 where there are none.
double clock_step(const std::vector<double>& times);

}  // namespace wgprim
