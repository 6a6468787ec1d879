// Holds work to a bound on processor time, which a busy machine does not stretch.
#pragma once

#include <gtest/gtest.h>

#include <ctime>

namespace wgprim::testing {

/// Runs `work`, which may take a minute, many times what it needs: quadratic work on the sizes of
/// these tests takes hours, and sanitizers make everything slower.
template <class Work>
void in_time(Work work) {
  constexpr double kLimitSeconds = 60;
  const std::clock_t start = std::clock();
  work();
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kLimitSeconds);
}

}  // namespace wgprim::testing
