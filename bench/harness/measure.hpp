// How variants of one work are timed: checked, warmed up, in turns, until their medians are known
// well. Pure of any device: what runs is a Stage, which tests replace by one with a clock of
// theirs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wgprim/distribution.hpp"
#include "wgprim/result.hpp"

namespace wgprim::bench {

/// One sample in nanoseconds; nothing where the clock gave no usable pair.
using Sample = std::optional<double>;

/// Where the variants run. Variants are known by their place.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::size_t variant_count() const = 0;
  virtual const std::string& name(std::size_t variant) const = 0;
  /// Runs each variant once and judges its result. Errors: verification_failed.
  virtual Result<void> check() = 0;
  /// How often a variant runs, back to back, within one sample.
  virtual Result<void> set_batch(std::uint32_t runs) = 0;
  /// Runs the variants in this order without a gap between them; one sample for each place.
  virtual Result<std::vector<Sample>> run(std::span<const std::size_t> order) = 0;
};

struct MeasureOptions {
  std::size_t samples = 30;        ///< Of each variant, at least.
  std::size_t most_samples = 300;  ///< However wide the spread still is.
  double spread = 0.01;            ///< Enough once half the median's 95 % interval is below this.
  std::chrono::nanoseconds warm_up = std::chrono::seconds(1);
  /// Turns of one submit amount to about this much work; between submits the device may idle.
  std::chrono::nanoseconds submit_time = std::chrono::milliseconds(20);
  /// The first turn of a submit finds an idle device with low clocks: it is run and not counted.
  bool has_lead_turn = true;
  /// Hears after each submit how many samples of each variant are taken, of how many at most.
  std::function<void(std::size_t done, std::size_t most)> progress = {};
};

struct VariantTimes {
  Distribution nanoseconds;  ///< Of one run.
  std::size_t samples = 0;
  std::size_t dropped = 0;  ///< Samples of zero, negative or unwritten time.
  double spread = 0;        ///< Half the median's 95 % interval, as a share of the median.
};

struct Measurement {
  std::vector<VariantTimes> variants;
  double clock_step_ns = 0;  ///< What all samples are whole numbers of.
  std::uint32_t batch = 1;   ///< Runs a sample, so that each lasts at least kFewestSteps.
  /// Samples are shorter all the same: a larger batch would take too long.
  bool is_clock_too_coarse = false;
};

/// A sample shorter than this many clock steps says too little.
inline constexpr double kFewestSteps = 20;

/// Errors: those of the stage; a failed check before or after (verification_failed); 0 samples
/// asked for (invalid_argument); a clock that times nothing (unsupported).
Result<Measurement> measure(Stage& stage, const MeasureOptions& options);

/// Half the 95 % interval of the median by order statistics, as a share of the median. Infinite for
/// less than 6 samples, which have no such interval.
double median_spread(std::vector<double> times);

}  // namespace wgprim::bench
