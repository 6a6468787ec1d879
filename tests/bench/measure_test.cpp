// The rules of timing, on a stage whose clock the test holds.
#include "bench/harness/measure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

namespace wgprim::bench {
namespace {

/// Variants of known time behind a clock that the test may spoil.
class FakeStage final : public Stage {
 public:
  std::size_t variant_count() const override { return times_ns.size(); }
  const std::string& name(std::size_t variant) const override { return names[variant]; }
  Result<void> check() override {
    if (++checks == failing_check) return fail(ErrorCode::verification_failed, "Row 0 is wrong.");
    return {};
  }
  Result<void> set_batch(std::uint32_t runs) override {
    batch = runs;
    return {};
  }
  Result<std::vector<Sample>> run(std::span<const std::size_t> order) override {
    orders.emplace_back(order.begin(), order.end());
    batches.push_back(batch);
    std::this_thread::sleep_for(time_of_a_turn * batch * order.size() / times_ns.size());
    std::vector<Sample> samples;
    for (const std::size_t variant : order)
      samples.push_back(clock(times_ns[variant] * batch, ++samples_taken));
    return samples;
  }

  std::vector<double> times_ns = {1000, 3000};
  std::vector<std::string> names = {"copy", "scan"};
  std::function<Sample(double, std::size_t)> clock = [](double time, std::size_t) { return time; };
  int failing_check = 0;
  int checks = 0;
  std::uint32_t batch = 0;
  std::size_t samples_taken = 0;
  std::vector<std::vector<std::size_t>> orders;  ///< Of each submit,
  std::vector<std::uint32_t> batches;            ///< and the runs of its samples.
  std::chrono::nanoseconds time_of_a_turn{0};    ///< Spent asleep, by the batch.
};

/// Times vary by a nanosecond, as those of a fine clock do.
Sample fine(double time, std::size_t number) { return time + static_cast<double>(number % 3); }

MeasureOptions quick() {
  return {.samples = 10, .most_samples = 40, .warm_up = std::chrono::nanoseconds(0)};
}

TEST(MeasureTest, gives_times_of_one_run_and_checks_before_and_after) {
  FakeStage stage;
  stage.clock = fine;
  const auto result = measure(stage, quick());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_NEAR(result->variants[0].nanoseconds.median, 1001, 1);
  EXPECT_NEAR(result->variants[1].nanoseconds.median, 3001, 1);
  EXPECT_GE(result->variants[0].samples, 10u);
  EXPECT_EQ(result->batch, 1u);
  EXPECT_EQ(stage.checks, 2);
}

TEST(MeasureTest, tells_how_many_samples_are_taken) {
  FakeStage stage;
  std::vector<std::size_t> heard;
  MeasureOptions options = quick();
  options.progress = [&](std::size_t done, std::size_t most) {
    heard.push_back(done);
    EXPECT_EQ(most, 40u);
  };
  const auto result = measure(stage, options);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(std::ranges::is_sorted(heard));
  EXPECT_EQ(heard.front(), 0u);  // The warm-up.
  EXPECT_EQ(heard.back(), result->variants[0].samples);
}

TEST(MeasureTest, a_wrong_result_before_or_after_is_an_error_not_a_report) {
  for (const int failing : {1, 2}) {
    FakeStage stage;
    stage.clock = fine;
    stage.failing_check = failing;
    const auto result = measure(stage, quick());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::verification_failed);
    EXPECT_EQ(stage.samples_taken == 0, failing == 1);
  }
}

TEST(MeasureTest, the_order_of_the_turns_counted_alternates_across_submits) {
  using namespace std::chrono_literals;
  for (const auto& [submit_time, turns] : {std::pair(0ns, 1u), {1000s, 10u}}) {
    for (const bool has_lead_turn : {true, false}) {
      FakeStage stage;
      stage.clock = fine;
      MeasureOptions options = quick();
      options.submit_time = submit_time;
      options.has_lead_turn = has_lead_turn;
      ASSERT_TRUE(measure(stage, options));
      EXPECT_EQ(stage.orders.back().size(), 2 * (turns + has_lead_turn));
      std::vector<std::size_t> counted;
      for (const auto& order : std::span(stage.orders).subspan(1))  // The first is the warm-up.
        counted.insert(counted.end(), order.begin() + (has_lead_turn ? 2 : 0), order.end());
      ASSERT_GE(counted.size(), 20u);
      for (std::size_t turn = 0; turn < 10; ++turn)
        EXPECT_EQ(counted[2 * turn], turn % 2) << "turn " << turn;
    }
  }
}

TEST(MeasureTest, the_first_turn_of_a_submit_is_not_counted) {
  FakeStage stage;
  stage.clock = fine;
  MeasureOptions options = quick();
  options.submit_time = std::chrono::nanoseconds(0);  // One turn a submit beside the lead turn.
  const auto result = measure(stage, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(stage.orders.back().size(), 4u);
  EXPECT_EQ(stage.orders.size(), 1 + result->variants[0].samples) << "one submit of warm-up";
}

TEST(MeasureTest, scenario_H6_a_coarse_clock_is_met_by_batches) {
  constexpr double kStep = 65536;
  FakeStage stage;
  stage.clock = [](double time, std::size_t number) {
    const double phase = kStep * static_cast<double>(number * 7 % 11) / 11;
    return std::floor((time + phase) / kStep) * kStep;
  };
  const auto result = measure(stage, quick());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->clock_step_ns, kStep);
  EXPECT_FALSE(result->is_clock_too_coarse);
  EXPECT_GE(result->batch * 1000.0, 19 * kStep) << "twenty steps, but for the rounding of one";
  EXPECT_NEAR(result->variants[0].nanoseconds.median, 1000, 60);
  EXPECT_NEAR(result->variants[1].nanoseconds.median, 3000, 60);
}

TEST(MeasureTest, the_clock_step_is_that_of_all_samples) {
  FakeStage stage;
  stage.clock = [](double time, std::size_t number) {
    return time + static_cast<double>(number <= 4 ? 2 * number : number);  // 4 of warm-up.
  };
  const auto result = measure(stage, quick());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->clock_step_ns, 1);
}

TEST(MeasureTest, a_batch_of_long_runs_grows_no_further_than_a_quarter_of_a_second) {
  FakeStage stage;
  stage.clock = [](double, std::size_t) { return std::nullopt; };
  stage.time_of_a_turn = std::chrono::milliseconds(20);
  MeasureOptions options = quick();
  options.samples = options.most_samples = 1;
  options.has_lead_turn = false;
  EXPECT_FALSE(measure(stage, options));
  EXPECT_GT(stage.batch, 1u);
  EXPECT_LE(stage.batch, 13u);
}

TEST(MeasureTest, says_when_the_clock_is_too_coarse_for_the_longest_batch) {
  FakeStage stage;
  stage.clock = [](double time, std::size_t) { return std::floor(time / 3e6) * 3e6; };
  const auto result = measure(stage, quick());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->batch, 4096u) << "of 1 us: two steps, with the rest cut off one";
  EXPECT_TRUE(result->is_clock_too_coarse);
}

TEST(MeasureTest, the_first_submit_of_a_batch_is_no_longer_than_others) {
  constexpr double kStep = 65536;
  FakeStage stage;
  stage.clock = [](double time, std::size_t number) {
    return std::floor((time + kStep * static_cast<double>(number * 7 % 11) / 11) / kStep) * kStep;
  };
  stage.time_of_a_turn = std::chrono::microseconds(20);
  MeasureOptions options = quick();
  options.samples = options.most_samples = 20;
  ASSERT_TRUE(measure(stage, options));
  ASSERT_GE(stage.batches.back(), 1000u);
  for (std::size_t i = 0; i < stage.orders.size(); ++i) {
    const auto time = stage.time_of_a_turn * stage.batches[i] * stage.orders[i].size() / 2;
    EXPECT_LT(time, std::chrono::milliseconds(100)) << stage.batches[i] << " runs a sample";
  }
}

TEST(MeasureTest, scenario_H7_unusable_samples_are_dropped_and_counted) {
  FakeStage stage;
  stage.clock = [](double time, std::size_t number) -> Sample {
    switch (number % 8) {
      case 0: return std::nullopt;
      case 2: return 0.0;
      case 4: return -5.0;
      case 6: return std::numeric_limits<double>::quiet_NaN();
      default: return fine(time, number);
    }
  };
  const auto result = measure(stage, quick());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_GT(result->variants[0].dropped, 0u);
  EXPECT_GT(result->variants[0].nanoseconds.min, 999);
  EXPECT_GE(result->variants[0].samples, 10u);
}

TEST(MeasureTest, a_clock_that_times_nothing_is_an_error) {
  FakeStage stage;
  stage.clock = [](double, std::size_t) { return std::nullopt; };
  const auto result = measure(stage, quick());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unsupported);
  EXPECT_NE(result.error().message.find("'copy'"), std::string::npos);
}

TEST(MeasureTest, a_wide_spread_takes_more_samples_up_to_the_most) {
  FakeStage stage;
  MeasureOptions options = quick();
  options.most_samples = 35;  // Not a multiple of the turns that a submit takes.
  stage.clock = [](double time, std::size_t number) {
    return time * (1 + static_cast<double>(number * 7 % 13) / 13);
  };
  const auto result = measure(stage, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->variants[0].samples, 35u);
  EXPECT_GT(result->variants[0].spread, 0.01);
}

TEST(MeasureTest, no_samples_asked_for_are_an_error) {
  FakeStage stage;
  MeasureOptions options = quick();
  options.samples = 0;
  EXPECT_EQ(measure(stage, options).error().code, ErrorCode::invalid_argument);
}

TEST(MedianSpreadTest, is_half_the_interval_between_ranks) {
  EXPECT_EQ(median_spread(std::vector<double>(20, 7.0)), 0);
  EXPECT_TRUE(std::isinf(median_spread({1, 2, 3})));
  std::vector<double> ramp;
  for (int i = 1; i <= 100; ++i)
    ramp.push_back(i);
  EXPECT_NEAR(median_spread(ramp), 0.2, 0.02);
}

}  // namespace
}  // namespace wgprim::bench
