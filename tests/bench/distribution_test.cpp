// Nearest-rank statistics and the step of a clock.
#include "wgprim/distribution.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace wgprim::testing {
namespace {

TEST(DistributionTest, case_I01) {
  EXPECT_EQ(distribution_of({4, 1, 3, 2}).value(), (Distribution{1, 2, 4, 4}));
}

TEST(DistributionTest, case_I02) {
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto refused = distribution_of({1, wrong});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(refused.error().message, "Sample 1 of 2 is not a finite number.");
  }
}

TEST(DistributionTest, no_samples_are_an_error) { EXPECT_FALSE(distribution_of({})); }

TEST(DistributionTest, the_95th_percentile_of_40_is_the_38th) {
  std::vector<double> samples;
  for (int i = 40; i > 0; --i)
    samples.push_back(i);
  EXPECT_EQ(distribution_of(samples).value(), (Distribution{1, 20, 38, 40}));
}

TEST(ClockStepTest, is_what_all_times_are_multiples_of) {
  EXPECT_EQ(clock_step({65536 * 3, 65536 * 5}), 65536);
  EXPECT_NEAR(clock_step({83.333 * 12, 83.333 * 31}), 83.333, 1e-6);
  EXPECT_EQ(clock_step({}), 0);
}

}  // namespace
}  // namespace wgprim::testing
