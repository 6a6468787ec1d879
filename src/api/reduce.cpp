// One-call reductions: a plan of one reduction with upload and read-back around it.
#include <algorithm>
#include <bit>

#include "api/device_arrays.hpp"
#include "api/row_words.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim {
namespace {

/// One reduction on the device, from its input to its output.
class Reduction {
 public:
  static Result<Reduction> create(Device& device, std::span<const std::uint32_t> input,
                                  const ReduceOptions& options, const ProgressSink& progress) {
    auto ok = api::check_no_carries("reduction", options.has_carry_in);
    if (!ok) return pass_on(ok);
    const auto rows = api::count_rows(input, options.format);
    if (!rows) return pass_on(rows);
    const auto profile = device.profile();
    if (!profile) return pass_on(profile);
    auto plan = plan_reduce(*rows, options, *profile);
    if (!plan) return pass_on(plan);
    auto executable = Executable::create(device, std::move(*plan));
    if (!executable) return pass_on(executable);
    auto arrays = api::DeviceArrays::create(device, executable->plan());
    if (!arrays) return pass_on(arrays);
    Reduction reduction(device, std::move(*executable), std::move(*arrays), *rows, progress);
    reduction.limits_ = profile->limits;
    const std::uint64_t width = row_bytes(options.format);
    const auto placed = api::place_array("input", *rows, options.format, {}, profile->limits);
    if (!placed) return pass_on(placed);
    const auto uploaded = reduction.arrays_.upload(
        device, *placed, std::as_bytes(input),
        [&](std::uint64_t bytes) { reduction.tell("upload", bytes / width); });
    if (!uploaded) return pass_on(uploaded);
    return reduction;
  }

  std::uint64_t rows() const { return rows_; }

  /// An array of words.
  Result<void> upload(const char* name, std::span<const std::uint32_t> words) {
    const auto placed = api::place_array(name, words.size(), Format::uint32, {}, limits_);
    return placed ? arrays_.upload(device_, *placed, std::as_bytes(words)) : pass_on(placed);
  }

  Result<ScanReport> run() {
    ScanReport report = api::report_of(executable_.plan(), rows_);
    tell("reduce", 0);
    const auto imports = arrays_.imports();
    auto ran = wgprim::run(device_, executable_, {.imports = imports}, &report.gpu_ns);
    if (!ran) return pass_on(ran);
    tell("reduce", rows_);
    return report;
  }

  /// The first `count` of `rows` rows.
  Result<void> download(const char* name, Format format, std::uint64_t rows, std::uint64_t count,
                        const RowSink& sink) {
    const auto placed = api::place_array(name, rows, format, {}, limits_);
    if (!placed) return pass_on(placed);
    return arrays_.download(device_, *placed, sink, count * (row_bytes(format) / 4));
  }

 private:
  Reduction(Device& device, Executable executable, api::DeviceArrays arrays, std::uint64_t rows,
            const ProgressSink& progress)
      : device_(device),
        executable_(std::move(executable)),
        arrays_(std::move(arrays)),
        rows_(rows),
        progress_(progress) {}

  void tell(std::string_view stage, std::uint64_t done) const {
    if (progress_) progress_(stage, done, rows_);
  }

  Device& device_;
  Executable executable_;
  api::DeviceArrays arrays_;
  Limits limits_;
  std::uint64_t rows_;
  const ProgressSink& progress_;
};

template <RowType T>
Result<std::vector<T>> collect(std::size_t most,
                               const std::function<Result<SegmentReport>(const RowSink&)>& reduce) {
  auto result = api::RowCollector<T>::create(most);
  if (!result) return pass_on(result);
  const auto report = reduce([&](std::span<const std::uint32_t> piece) -> Result<void> {
    result->append(piece);
    return {};
  });
  if (!report) return pass_on(report);
  return result->take();
}

}  // namespace

Result<ReduceReport> reduce(Device& device, std::span<const std::uint32_t> input,
                            const ReduceOptions& options, const ProgressSink& progress) {
  ReduceOptions asked = options;
  asked.is_segmented = false;
  asked.ranges.reset();
  auto reduction = Reduction::create(device, input, asked, progress);
  if (!reduction) return pass_on(reduction);
  auto ran = reduction->run();
  if (!ran) return pass_on(ran);
  ReduceReport report{std::move(*ran), {options.format, {}}};
  const auto take = [&](std::span<const std::uint32_t> words) -> Result<void> {
    std::ranges::copy(words, report.value.words.begin());
    return {};
  };
  const auto read = reduction->download("output", options.format, 1, 1, take);
  if (!read) return pass_on(read);
  return report;
}

Result<SegmentReport> reduce_by_flags(Device& device, std::span<const std::uint32_t> input,
                                      std::span<const std::uint32_t> segment_flags,
                                      const RowSink& output, const ReduceOptions& options,
                                      const ProgressSink& progress) {
  if (auto ok = api::check_given(api::kResultSink, bool{output}); !ok) return pass_on(ok);
  const auto rows = api::count_rows(input, options.format);
  if (!rows) return pass_on(rows);
  if (segment_flags.size() < *rows) {
    return fail(ErrorCode::invalid_argument,
                concat("There are ", segment_flags.size(), " segment flags for ", *rows, " rows."));
  }
  ReduceOptions asked = options;
  asked.is_segmented = true;
  asked.ranges.reset();
  auto reduction = Reduction::create(device, input, asked, progress);
  if (!reduction) return pass_on(reduction);
  if (auto ok = reduction->upload("flags", segment_flags.first(*rows)); !ok) return pass_on(ok);
  auto ran = reduction->run();
  if (!ran) return pass_on(ran);
  SegmentReport report{std::move(*ran), 0};
  const auto take_number = [&](std::span<const std::uint32_t> words) -> Result<void> {
    report.segments = words[0];
    return {};
  };
  auto read = reduction->download("number", Format::uint32, 1, 1, take_number);
  if (read) {
    read = reduction->download("output", options.format, *rows, report.segments, output);
  }
  if (!read) return pass_on(read);
  return report;
}

Result<SegmentReport> reduce_by_offsets(Device& device, std::span<const std::uint32_t> input,
                                        std::span<const std::uint32_t> offsets,
                                        const RowSink& output, const ReduceOptions& options,
                                        const ProgressSink& progress) {
  if (auto ok = api::check_given(api::kResultSink, bool{output}); !ok) return pass_on(ok);
  if (offsets.empty()) {
    return fail(ErrorCode::invalid_argument, "There are no offsets; k ranges take k + 1 of them.");
  }
  ReduceOptions asked = options;
  asked.is_segmented = false;
  asked.ranges = offsets.size() - 1;
  auto reduction = Reduction::create(device, input, asked, progress);
  if (!reduction) return pass_on(reduction);
  if (auto ok = reduction->upload("offsets", offsets); !ok) return pass_on(ok);
  auto ran = reduction->run();
  if (!ran) return pass_on(ran);
  auto read = reduction->download("output", options.format, *asked.ranges, *asked.ranges, output);
  if (!read) return pass_on(read);
  return SegmentReport{std::move(*ran), *asked.ranges};
}

template <RowType T>
Result<T> reduce_values(Device& device, std::span<const T> rows, ReduceOptions options) {
  options.format = api::format_of<T>();
  const auto report = reduce(device, api::words_of(rows), options, {});
  if (!report) return pass_on(report);
  const auto& words = report->value.words;
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(words[0]);
  } else {
    return std::bit_cast<T>(words[0] | std::uint64_t{words[1]} << 32);
  }
}

template <RowType T>
Result<std::vector<T>> reduce_segments(Device& device, std::span<const T> rows,
                                       std::span<const std::uint32_t> segment_flags,
                                       ReduceOptions options) {
  options.format = api::format_of<T>();
  return collect<T>(rows.size(), [&](const RowSink& sink) {
    return reduce_by_flags(device, api::words_of(rows), segment_flags, sink, options);
  });
}

template <RowType T>
Result<std::vector<T>> reduce_ranges(Device& device, std::span<const T> rows,
                                     std::span<const std::uint32_t> offsets,
                                     ReduceOptions options) {
  options.format = api::format_of<T>();
  return collect<T>(offsets.size(), [&](const RowSink& sink) {
    return reduce_by_offsets(device, api::words_of(rows), offsets, sink, options);
  });
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type stands alone.
#define WGPRIM_INSTANTIATE(T)                                                                     \
  template Result<T> reduce_values(Device&, std::span<const T>, ReduceOptions);                   \
  template Result<std::vector<T>> reduce_segments(Device&, std::span<const T>,                    \
                                                  std::span<const std::uint32_t>, ReduceOptions); \
  template Result<std::vector<T>> reduce_ranges(Device&, std::span<const T>,                      \
                                                std::span<const std::uint32_t>, ReduceOptions);
WGPRIM_INSTANTIATE(std::uint32_t)
WGPRIM_INSTANTIATE(std::int32_t)
WGPRIM_INSTANTIATE(float)
WGPRIM_INSTANTIATE(std::uint64_t)
WGPRIM_INSTANTIATE(std::int64_t)
#undef WGPRIM_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace wgprim
