// Times of variants as JSON and as a table; see the header.
#include "bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "option_values.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::cli {
namespace {

/// By key of JSON, nanoseconds.
using Yardsticks = std::vector<std::pair<const char*, double>>;

Json result_json(const bench::BenchedVariant& variant, const bench::VariantTimes& times,
                 const Yardsticks& yardsticks) {
  const Distribution& ns = times.nanoseconds;
  Json json = {{"name", variant.name},
               {"samples", times.samples},
               {"dropped", times.dropped},
               {"min_us", ns.min / 1e3},
               {"median_us", ns.median / 1e3},
               {"p95_us", ns.p95 / 1e3},
               {"max_us", ns.max / 1e3},
               {"spread", nullptr},
               {"dispatches", variant.dispatches},
               {"bytes", variant.bytes},
               {"gigabytes_per_second", static_cast<double>(variant.bytes) / ns.median}};
  for (const auto& [key, yardstick_ns] : yardsticks)
    json[key] = yardstick_ns / ns.median;
  if (std::isfinite(times.spread)) json["spread"] = times.spread;
  return json;
}

/// Of a share; "-" where there is none.
std::string percentage(const Json& share) {
  return share.is_null() ? "-" : figure(100 * share.get<double>(), 1) + " %";
}

/// The finest step seen: each size only bounds it from above.
double finest_step(const Json& sizes) {
  double step = std::numeric_limits<double>::infinity();
  for (const Json& size : sizes)
    step = std::min(step, size["clock_step_ns"].get<double>());
  return step;
}

}  // namespace

Json size_json(const bench::RowBenchResult& result) {
  Json results = Json::array();
  const auto& times = result.measurement.variants;
  Yardsticks yardsticks;
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (const Yardstick& one : {kCopyYardstick, kReadYardstick}) {
      if (result.variants[i].name == one.name)
        yardsticks.emplace_back(one.key, times[i].nanoseconds.median);
    }
  }
  for (std::size_t i = 0; i < times.size(); ++i)
    results.push_back(result_json(result.variants[i], times[i], yardsticks));
  return {{"rows", result.rows},
          {"clock_step_ns", result.measurement.clock_step_ns},
          {"batch", result.measurement.batch},
          {"is_clock_too_coarse", result.measurement.is_clock_too_coarse},
          {"results", std::move(results)}};
}

std::string table_head(const Yardstick& yardstick) {
  return fmt::format("{:>13}  {:<22} {:>11} {:>7} {:>11} {:>9} {:>8} {:>8} {:>8}\n", "rows",
                     "variant", "median us", "+-", "p95 us", "GB/s", yardstick.head, "samples",
                     "dropped");
}

std::string table_rows(const Json& size, const Yardstick& yardstick) {
  std::string text;
  for (const Json& result : size["results"]) {
    const auto cell = [&](const char* key, int decimals) {
      return figure(result[key].get<double>(), decimals);
    };
    text +=
        fmt::format("{:>13}  {:<22} {:>11} {:>7} {:>11} {:>9} {:>8} {:>8} {:>8}\n",
                    grouped(size["rows"].get<std::uint64_t>()), result["name"].get<std::string>(),
                    cell("median_us", 2), percentage(result["spread"]), cell("p95_us", 2),
                    cell("gigabytes_per_second", 1), cell(yardstick.key, 2),
                    result["samples"].get<std::uint64_t>(), result["dropped"].get<std::uint64_t>());
  }
  const auto batch = size["batch"].get<std::uint64_t>();
  const bool is_too_coarse = size["is_clock_too_coarse"].get<bool>();
  if (batch == 1 && !is_too_coarse) return text;
  return text + fmt::format("{:>13}  a sample is {} runs{}: the clock steps by {:.0f} ns\n", "",
                            batch, is_too_coarse ? " and still too short" : "",
                            size["clock_step_ns"].get<double>());
}

std::uint64_t fewest_samples(const Json& sizes) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const Json& size : sizes) {
    for (const Json& result : size["results"])
      fewest = std::min(fewest, result["samples"].get<std::uint64_t>());
  }
  return fewest;
}

std::string table_foot(const Json& sizes, const Yardstick& yardstick) {
  return fmt::format(
      "+- is half the median's 95 % interval; {} is {} time over the variant's. Every "
      "result was checked before and after timing. The clock steps by {:.0f} ns. Below 2^23 rows "
      "caches decide.\n{}",
      yardstick.head, yardstick.owner, finest_step(sizes), sample_remark(fewest_samples(sizes)));
}

}  // namespace wgprim::cli
