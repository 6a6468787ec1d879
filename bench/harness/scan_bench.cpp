// Scans and baselines as variants of one stage; see the header. Called by `wgprim bench scan`.
#include "scan_bench.hpp"

#include <algorithm>
#include <numeric>

#include "arrays.hpp"
#include "baselines.hpp"
#include "device_stage.hpp"
#include "reference/random_rows.hpp"
#include "reference/scan_checker.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::bench {
namespace {

/// The rows of each buffer behind a scan's input.
std::vector<std::uint64_t> input_pieces(const Plan& plan) {
  std::vector<std::uint64_t> rows;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::imported && buffer.id.starts_with("input"))
      rows.push_back(buffer.bytes / 4);
  }
  return rows;
}

class ScanBench {
 public:
  ScanBench(Device& device, std::uint64_t rows, const ScanBenchOptions& options)
      : device_(device), options_(options), values_(reference::random_rows(rows, rows)) {}

  Result<ScanBenchResult> run() {
    const auto profile = device_.profile();
    if (!profile) return pass_on(profile);
    const auto plans = plan_scans(*profile);
    if (!plans) return pass_on(plans);
    pieces_ = input_pieces(plans->front());
    if (auto ok = create_arrays(profile->limits); !ok) return pass_on(ok);
    add_baselines(profile->limits);
    for (const Plan& plan : *plans)
      add_scan(plan);
    return time(profile->capabilities.timestamps);
  }

 private:
  Result<std::vector<Plan>> plan_scans(const DeviceProfile& profile) const {
    std::vector<Plan> plans;
    for (const Subgroups subgroups : options_.subgroups) {
      auto plan = plan_scan(values_.size(),
                            {.mode = options_.mode, .path = options_.path, .subgroups = subgroups},
                            profile);
      if (!plan) return pass_on(plan);
      plans.push_back(std::move(*plan));
    }
    return plans;
  }

  Result<void> create_arrays(const Limits& limits) {
    const std::uint64_t sums[] = {read_only_words(pieces_, limits)};
    const std::span<const std::uint64_t> none;
    const bool has_all = options_.has_all_baselines;
    for (const auto& [array, name, rows] : {
             std::tuple(&input_, "input", std::span<const std::uint64_t>(pieces_)),
             std::tuple(&output_, "output", std::span<const std::uint64_t>(pieces_)),
             std::tuple(&second_, "second", has_all ? pieces_ : none),
             std::tuple(&sums_, "sums", has_all ? std::span<const std::uint64_t>(sums) : none),
         }) {
      auto created = Array::create(device_, name, rows);
      if (!created) return pass_on(created);
      *array = std::move(*created);
    }
    if (auto ok = input_.upload(device_, values_); !ok || !has_all) return ok;
    return second_.upload(device_, values_);
  }

  void add(std::string name, Plan plan, std::uint64_t bytes, const Array& output,
           std::function<Result<void>()> check) {
    Variant variant{.name = std::move(name),
                    .plan = std::move(plan),
                    .bytes = bytes,
                    .outputs = output.buffers(),
                    .check = std::move(check)};
    input_.append_imports(variant.imports);
    output.append_imports(variant.imports);
    variants_.push_back(std::move(variant));
  }

  void add_baselines(const Limits& limits) {
    const std::uint64_t array_bytes = 4 * values_.size();
    add("copy", baseline_plan(Traffic::copy, pieces_, limits), 2 * array_bytes, output_,
        [this] { return check_multiple(1); });
    if (!options_.has_all_baselines) return;
    add("read only", baseline_plan(Traffic::read_only, pieces_, limits), array_bytes, sums_,
        [this] { return check_sums(); });
    add("two reads, one write", baseline_plan(Traffic::two_reads, pieces_, limits), 3 * array_bytes,
        output_, [this] { return check_multiple(2); });
    second_.append_imports(variants_.back().imports);
  }

  void add_scan(const Plan& plan) {
    const PlanNode& node = plan.nodes.front();
    add(concat(node.path, node.uses_subgroups ? ", subgroups" : ", portable"), plan,
        plan.workload.bytes_read + plan.workload.bytes_written, output_,
        [this] { return check_scan(); });
  }

  Result<void> check_scan() {
    reference::ScanChecker<> checker(options_.mode);
    return output_.download(device_, [&](std::span<const std::uint32_t> piece) {
      return checker.check(std::span(values_).subspan(checker.rows_checked(), piece.size()), piece);
    });
  }

  /// Each row of the output is `factor` times the input's.
  Result<void> check_multiple(std::uint32_t factor) {
    std::size_t row = 0;
    return output_.download(device_, [&](std::span<const std::uint32_t> piece) -> Result<void> {
      for (const std::uint32_t found : piece) {
        const std::uint32_t expected = values_[row++] * factor;
        if (found == expected) continue;
        return fail(ErrorCode::verification_failed,
                    concat("Row ", row - 1, " is ", found, ", not ", expected, "."));
      }
      return {};
    });
  }

  /// All sums together are the sum of all rows, but for the padding of pieces, which is zero.
  Result<void> check_sums() {
    std::uint32_t found = 0;
    const auto read = sums_.download(device_, [&](std::span<const std::uint32_t> piece) {
      found = std::accumulate(piece.begin(), piece.end(), found);
      return Result<void>();
    });
    if (!read) return read;
    const std::uint32_t expected = std::accumulate(values_.begin(), values_.end(), 0u);
    if (found == expected) return {};
    return fail(ErrorCode::verification_failed,
                concat("The rows add up to ", expected, ", not to ", found, "."));
  }

  Result<ScanBenchResult> time(bool has_timestamps) {
    ScanBenchResult result{.rows = values_.size(), .variants = {}, .measurement = {}};
    for (const Variant& variant : variants_) {
      result.variants.push_back({variant.name, variant.bytes, variant.plan.dispatches.size()});
    }
    auto stage = DeviceStage::create(device_, std::move(variants_), has_timestamps);
    if (!stage) return pass_on(stage);
    auto measurement = measure(*stage, options_.measure);
    if (!measurement) return pass_on(measurement);
    result.measurement = std::move(*measurement);
    return result;
  }

  Device device_;
  const ScanBenchOptions& options_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint64_t> pieces_;
  Array input_;
  Array output_;
  Array second_;
  Array sums_;
  std::vector<Variant> variants_;
};

}  // namespace

Result<ScanBenchResult> bench_scan(Device& device, std::uint64_t rows,
                                   const ScanBenchOptions& options) {
  if (rows == 0) {
    return fail(ErrorCode::invalid_argument,
                "A scan of 0 rows takes no time; at least 1 is needed.");
  }
  if (rows > kMaxRows) {
    return fail(ErrorCode::limit_exceeded, concat("A scan of ", rows, " rows is above the ",
                                                  kMaxRows, " that one operation takes."));
  }
  return ScanBench(device, rows, options).run();
}

}  // namespace wgprim::bench
