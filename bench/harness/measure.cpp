// The rules of timing; see the header. Called by the benchmarks of each operation.
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "wgprim/detail/text.hpp"

namespace wgprim::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMostBatch = 4096;
constexpr std::size_t kMostTurns = 64;                  ///< Of a submit.
constexpr std::chrono::milliseconds kLongestTurn{250};  ///< That a batch may lead to.

bool is_usable(const Sample& sample) { return sample && std::isfinite(*sample) && *sample > 0; }

class Measuring {
 public:
  Measuring(Stage& stage, const MeasureOptions& options)
      : stage_(stage),
        options_(options),
        times_(stage.variant_count()),
        dropped_(stage.variant_count()) {}

  Result<Measurement> run() {
    if (auto ok = stage_.set_batch(1); !ok) return pass_on(ok);
    if (auto ok = stage_.check(); !ok) return pass_on(ok);
    if (auto ok = warm_up(); !ok) return pass_on(ok);
    if (auto ok = choose_batch(); !ok) return pass_on(ok);
    if (auto ok = sample(); !ok) return pass_on(ok);
    if (auto ok = stage_.check(); !ok) return pass_on(ok);
    return summary();
  }

 private:
  void forget() {
    for (auto& times : times_)
      times.clear();
    std::ranges::fill(dropped_, 0);
    turns_counted_ = 0;
  }

  /// `turns` turns and the lead turn. Of those that count every other one is backwards, also across
  /// submits, so that no variant always follows the same one.
  Result<void> submit(std::size_t turns) {
    const std::size_t lead = options_.has_lead_turn ? 1 : 0;
    const std::size_t variants = times_.size();
    std::vector<std::size_t> order;
    for (std::size_t turn = 0; turn < turns + lead; ++turn) {
      const bool is_backwards = (turns_counted_ + lead + turn) % 2 != 0;
      for (std::size_t i = 0; i < variants; ++i)
        order.push_back(is_backwards ? variants - 1 - i : i);
    }
    const auto start = Clock::now();
    const auto samples = stage_.run(order);
    if (!samples) return pass_on(samples);
    turn_time_ = (Clock::now() - start) / static_cast<int>(turns + lead);
    for (std::size_t at = lead * variants; at < order.size(); ++at) {
      const Sample& sample = (*samples)[at];
      if (is_usable(sample)) {
        times_[order[at]].push_back(*sample);
        step_ = clock_step({step_, *sample});
      } else {
        ++dropped_[order[at]];
      }
    }
    turns_counted_ += turns;
    if (options_.progress) {
      options_.progress(is_sampling_ ? turns_counted_ : 0, options_.most_samples);
    }
    return {};
  }

  std::size_t turns_of_a_submit() const {
    const auto fitting = options_.submit_time / std::max(turn_time_, std::chrono::nanoseconds(1));
    const auto most = std::min(kMostTurns, options_.samples);
    return std::clamp<std::size_t>(static_cast<std::size_t>(fitting), 1, most);
  }

  Result<void> warm_up() {
    const auto end = Clock::now() + options_.warm_up;
    do {
      if (auto ok = submit(turns_of_a_submit()); !ok) return ok;
    } while (Clock::now() < end);
    return {};
  }

  /// The median of the fastest variant; nothing where no sample of any is usable.
  std::optional<double> fastest() const {
    std::optional<double> least;
    for (const auto& times : times_) {
      const auto distribution = distribution_of(times);
      if (distribution)
        least = std::min(least.value_or(distribution->median), distribution->median);
    }
    return least;
  }

  std::uint32_t raised_batch(double factor) const {
    return static_cast<std::uint32_t>(std::min<double>(kMostBatch, std::ceil(batch_ * factor)));
  }

  /// Raises the batch until the fastest variant lasts long enough for the clock, or a turn is long.
  Result<void> choose_batch() {
    for (;;) {
      const auto time = fastest();
      const double missing = time ? kFewestSteps * step_ / *time : kFewestSteps;
      const double room = std::chrono::duration<double>(kLongestTurn) / turn_time_;
      is_clock_too_coarse_ = missing > 1;
      if (missing <= 1 || room <= 1 || batch_ == kMostBatch) return {};
      const std::uint32_t before = std::exchange(batch_, raised_batch(std::min(missing, room)));
      if (auto ok = stage_.set_batch(batch_); !ok) return ok;
      turn_time_ = turn_time_ * batch_ / before;  // At most, which the next submit goes by.
      forget();
      if (auto ok = submit(turns_of_a_submit()); !ok) return ok;
    }
  }

  bool is_settled() const {
    return std::ranges::all_of(times_, [&](const std::vector<double>& times) {
      return times.size() >= options_.samples && median_spread(times) < options_.spread;
    });
  }

  Result<void> sample() {
    forget();
    is_sampling_ = true;
    while (!is_settled() && turns_counted_ < options_.most_samples) {
      const std::size_t left = options_.most_samples - turns_counted_;
      if (auto ok = submit(std::min(turns_of_a_submit(), left)); !ok) return ok;
    }
    return {};
  }

  Result<Measurement> summary() const {
    Measurement measurement{.variants = {},
                            .clock_step_ns = step_,
                            .batch = batch_,
                            .is_clock_too_coarse = is_clock_too_coarse_};
    for (std::size_t i = 0; i < times_.size(); ++i) {
      std::vector<double> times = times_[i];
      if (times.empty()) {
        return fail(ErrorCode::unsupported,
                    concat("The clock gave no usable time for '", stage_.name(i), "' in ",
                           dropped_[i], " samples of ", batch_, " runs each."));
      }
      for (double& time : times)
        time /= batch_;
      const auto distribution = distribution_of(times);
      if (!distribution) return pass_on(distribution);
      measurement.variants.push_back(
          {*distribution, times.size(), dropped_[i], median_spread(times)});
    }
    return measurement;
  }

  Stage& stage_;
  const MeasureOptions& options_;
  std::vector<std::vector<double>> times_;
  std::vector<std::size_t> dropped_;
  std::size_t turns_counted_ = 0;
  std::chrono::nanoseconds turn_time_ = std::chrono::hours(1);
  double step_ = 0;
  bool is_sampling_ = false;  ///< No longer warming up.
  bool is_clock_too_coarse_ = false;
  std::uint32_t batch_ = 1;
};

}  // namespace

Result<Measurement> measure(Stage& stage, const MeasureOptions& options) {
  if (options.samples == 0 || options.most_samples == 0) {
    return fail(ErrorCode::invalid_argument, "0 samples were asked for; at least 1 is needed.");
  }
  return Measuring(stage, options).run();
}

double median_spread(std::vector<double> times) {
  constexpr std::size_t kFewest = 6;
  if (times.size() < kFewest) return std::numeric_limits<double>::infinity();
  std::ranges::sort(times);
  // Ranks that enclose the median with 95 % probability (binomial, normal approximation).
  const auto count = static_cast<double>(times.size());
  const double reach = 0.98 * std::sqrt(count);
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(count / 2 - reach)));
  const auto high = std::min(times.size() - 1, static_cast<std::size_t>(count / 2 + reach));
  const double median = times[(times.size() + 1) / 2 - 1];
  return (times[high] - times[low]) / 2 / median;
}

}  // namespace wgprim::bench
