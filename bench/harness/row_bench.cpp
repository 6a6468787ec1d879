// Operations and baselines as variants of one stage; see the header. Called by `wgprim bench`.
#include "row_bench.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

#include "arrays.hpp"
#include "baselines.hpp"
#include "device_stage.hpp"
#include "reference/random_rows.hpp"
#include "reference/row_checker.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::bench {
namespace {

using Words = std::vector<std::uint32_t>;

/// The words of each buffer behind an array of a plan.
std::vector<std::uint64_t> pieces_of(const Plan& plan, std::string_view array) {
  std::vector<std::uint64_t> words;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::imported && buffer.id.starts_with(array))
      words.push_back(buffer.bytes / 4);
  }
  return words;
}

/// Sums of float32 stay finite, and no NaN ends a minimum.
Words random_values(std::uint64_t rows, Format format) {
  Words words = reference::random_rows(rows * row_bytes(format) / 4, rows);
  if (format != Format::float32) return words;
  for (std::uint32_t& word : words)
    word = std::bit_cast<std::uint32_t>(std::ldexp(static_cast<float>(word) - 0x1p31f, -20));
  return words;
}

Words random_flags(std::uint64_t rows, double density) {
  const double most = density * 0x1p32;
  Words flags = reference::random_rows(rows, ~rows);
  for (std::uint32_t& flag : flags)
    flag = static_cast<double>(flag) < most ? 1 : 0;
  return flags;
}

class RowBench {
 public:
  RowBench(Device& device, std::uint64_t rows, const RowBenchOptions& options)
      : device_(device),
        options_(options),
        rows_(rows),
        values_(random_values(rows, options.rows.format)) {
    if (options.rows.is_segmented) flag_values_ = random_flags(rows, options.segment_density);
  }

  Result<RowBenchResult> run() {
    const auto profile = device_.profile();
    if (!profile) return pass_on(profile);
    const auto plans = plan_variants(*profile);
    if (!plans) return pass_on(plans);
    pieces_ = pieces_of(plans->front(), "input");
    flag_pieces_ = pieces_of(plans->front(), "flags");
    if (auto ok = create_arrays(profile->limits); !ok) return pass_on(ok);
    add_baselines(profile->limits);
    for (const Plan& plan : *plans)
      add_operation(plan);
    return time(profile->capabilities.timestamps);
  }

 private:
  Result<Plan> plan_variant(Subgroups subgroups, const DeviceProfile& profile) const {
    ScanOptions scan = options_.rows;
    scan.subgroups = subgroups;
    if (!options_.is_reduction) return plan_scan(rows_, scan, profile);
    return plan_reduce(
        rows_, {.format = scan.format, .op = scan.op, .path = scan.path, .subgroups = subgroups},
        profile);
  }

  Result<std::vector<Plan>> plan_variants(const DeviceProfile& profile) const {
    std::vector<Plan> plans;
    for (const Subgroups subgroups : options_.subgroups) {
      auto plan = plan_variant(subgroups, profile);
      if (!plan) return pass_on(plan);
      plans.push_back(std::move(*plan));
    }
    return plans;
  }

  bool reads_only() const { return options_.has_all_baselines || options_.is_reduction; }
  bool reads_twice() const { return options_.has_all_baselines || options_.rows.is_segmented; }

  Result<void> create_arrays(const Limits& limits) {
    using Pieces = std::vector<std::uint64_t>;
    const Pieces sums = {read_only_words(pieces_, limits)};
    const Pieces total = {row_bytes(options_.rows.format) / 4};
    for (const auto& [array, name, words] : {
             std::tuple(&input_, "input", pieces_),
             std::tuple(&output_, "output", pieces_),
             std::tuple(&flags_, "flags", flag_pieces_),
             std::tuple(&second_, "second", reads_twice() ? pieces_ : Pieces()),
             std::tuple(&sums_, "sums", reads_only() ? sums : Pieces()),
             std::tuple(&total_, "output", options_.is_reduction ? total : Pieces()),
         }) {
      auto created = Array::create(device_, name, words);
      if (!created) return pass_on(created);
      *array = std::move(*created);
    }
    if (auto ok = input_.upload(device_, values_); !ok) return ok;
    if (auto ok = flags_.upload(device_, flag_values_); !ok) return ok;
    return reads_twice() ? second_.upload(device_, values_) : Result<void>();
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
    if (reads_only()) {
      add("read only", baseline_plan(Traffic::read_only, pieces_, limits), array_bytes, sums_,
          [this] { return check_sums(); });
    }
    if (!reads_twice()) return;
    add("two reads, one write", baseline_plan(Traffic::two_reads, pieces_, limits), 3 * array_bytes,
        output_, [this] { return check_multiple(2); });
    second_.append_imports(variants_.back().imports);
  }

  void add_operation(const Plan& plan) {
    const PlanNode& node = plan.nodes.front();
    const auto check = [this] { return options_.is_reduction ? check_total() : check_scan(); };
    add(concat(node.path, node.uses_subgroups ? ", subgroups" : ", portable"), plan,
        plan.workload.bytes_read + plan.workload.bytes_written,
        options_.is_reduction ? total_ : output_, check);
    flags_.append_imports(variants_.back().imports);
  }

  Result<void> check_scan() {
    reference::RowChecker checker(values_, options_.rows, flag_values_);
    return output_.download(
        device_, [&](std::span<const std::uint32_t> piece) { return checker.check(piece); });
  }

  Result<void> check_total() {
    RowValue value(options_.rows.format, {});
    const auto read = total_.download(device_, [&](std::span<const std::uint32_t> words) {
      std::ranges::copy(words, value.words.begin());
      return Result<void>();
    });
    return read ? reference::check_reduction(values_, options_.rows.op.kind, value) : read;
  }

  /// Each word of the output is `factor` times the input's.
  Result<void> check_multiple(std::uint32_t factor) {
    std::size_t word = 0;
    return output_.download(device_, [&](std::span<const std::uint32_t> piece) -> Result<void> {
      for (const std::uint32_t found : piece) {
        const std::uint32_t expected = values_[word++] * factor;
        if (found == expected) continue;
        return fail(ErrorCode::verification_failed,
                    concat("Word ", word - 1, " is ", found, ", not ", expected, "."));
      }
      return {};
    });
  }

  /// All sums together are the sum of all words, but for the padding of pieces, which is zero.
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
                concat("The words add up to ", expected, ", not to ", found, "."));
  }

  Result<RowBenchResult> time(bool has_timestamps) {
    RowBenchResult result{.rows = rows_, .variants = {}, .measurement = {}};
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
  const RowBenchOptions& options_;
  std::uint64_t rows_;
  Words values_;
  Words flag_values_;
  std::vector<std::uint64_t> pieces_;
  std::vector<std::uint64_t> flag_pieces_;
  Array input_;
  Array output_;
  Array flags_;
  Array second_;
  Array sums_;
  Array total_;
  std::vector<Variant> variants_;
};

}  // namespace

Result<RowBenchResult> bench_rows(Device& device, std::uint64_t rows,
                                  const RowBenchOptions& options) {
  const char* const operation = options.is_reduction ? "reduction" : "scan";
  if (rows == 0) {
    return fail(ErrorCode::invalid_argument,
                concat("A ", operation, " of 0 rows takes no time; at least 1 is needed."));
  }
  if (rows > kMaxRows) {
    return fail(ErrorCode::limit_exceeded,
                concat("A ", operation, " of ", rows, " rows is above the ", kMaxRows,
                       " that one operation takes."));
  }
  return RowBench(device, rows, options).run();
}

}  // namespace wgprim::bench
