// One-call scans: the plan of one scan with upload and read-back around it.
#include <tuple>

#include "api/device_arrays.hpp"
#include "api/row_words.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim {
namespace {

using api::DeviceArrays;
using api::PlacedArray;

Result<void> check_flags(std::uint64_t rows, const ScanOptions& options,
                         std::span<const std::uint32_t> flags) {
  if (!options.is_segmented && !flags.empty()) {
    return fail(ErrorCode::invalid_argument,
                concat(flags.size(), " segment flags come with a scan that is not segmented."));
  }
  if (!options.is_segmented || flags.size() >= rows) return {};
  return fail(ErrorCode::invalid_argument,
              concat("There are ", flags.size(), " segment flags for ", rows, " rows."));
}

/// Where the arrays of a scan lie.
struct ScanArrays {
  PlacedArray input;
  PlacedArray output;
  PlacedArray flags;

  static const char* input_of(const ScanOptions& options) {
    return options.is_in_place ? "data" : "input";
  }
  static const char* output_of(const ScanOptions& options) {
    return options.is_in_place ? "data" : "output";
  }
  static Result<ScanArrays> create(std::uint64_t rows, const ScanOptions& options,
                                   const Limits& limits) {
    ScanArrays arrays;
    for (const auto& [array, name, format, placement] :
         {std::tuple(&arrays.input, input_of(options), options.format, &options.input),
          std::tuple(&arrays.output, output_of(options), options.format, &options.output),
          std::tuple(&arrays.flags, "flags", Format::uint32, &options.flags)}) {
      if (array == &arrays.flags && !options.is_segmented) continue;
      auto placed = api::place_array(name, rows, format, *placement, limits);
      if (!placed) return pass_on(placed);
      *array = std::move(*placed);
    }
    return arrays;
  }
};

/// The rows and the flags that there are.
Result<void> upload(Device& device, DeviceArrays& memory, const ScanArrays& arrays,
                    std::span<const std::uint32_t> input, std::span<const std::uint32_t> flags,
                    const std::function<void(std::uint64_t)>& progress) {
  auto ok = memory.upload(device, arrays.input, std::as_bytes(input), progress);
  if (ok && !flags.empty()) ok = memory.upload(device, arrays.flags, std::as_bytes(flags));
  return ok;
}

Result<void> download(Device& device, DeviceArrays& memory, const ScanArrays& arrays,
                      const RowSink& output, const std::function<void(std::uint64_t)>& progress) {
  std::uint64_t done = 0;
  return memory.download(device, arrays.output, [&](std::span<const std::uint32_t> piece) {
    auto taken = output(piece);
    done += piece.size_bytes();
    progress(done);
    return taken;
  });
}

}  // namespace

Result<void> api::check_given(std::string_view what, bool is_given) {
  if (is_given) return {};
  return fail(ErrorCode::invalid_argument, concat("The ", what, " is empty."));
}

Result<void> api::check_no_carries(std::string_view operation, bool has_carries) {
  if (!has_carries) return {};
  return fail(
      ErrorCode::invalid_argument,
      concat("A ", operation, " in one call has no carries: nobody could fill or read them."));
}

Result<std::uint64_t> api::count_rows(std::span<const std::uint32_t> words, Format format) {
  const std::uint64_t row_words = row_bytes(format) / 4;
  if (words.size() % row_words == 0) return words.size() / row_words;
  return fail(ErrorCode::invalid_argument,
              concat(words.size(), " words are no whole rows of ", to_string(format), "."));
}

template <RowType T>
Result<std::vector<T>> scan_values(Device& device, std::span<const T> rows,
                                   const ScanOptions& options,
                                   std::span<const std::uint32_t> segment_flags) {
  auto result = api::RowCollector<T>::create(rows.size());
  if (!result) return pass_on(result);
  const auto append = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    result->append(piece);
    return {};
  };
  ScanOptions asked = options;
  asked.format = api::format_of<T>();
  asked.is_segmented = options.is_segmented || !segment_flags.empty();
  const auto report = scan(device, api::words_of(rows), append, asked, {}, segment_flags);
  if (!report) return pass_on(report);
  return result->take();
}

template Result<std::vector<std::uint32_t>> scan_values(Device&, std::span<const std::uint32_t>,
                                                        const ScanOptions&,
                                                        std::span<const std::uint32_t>);
template Result<std::vector<std::int32_t>> scan_values(Device&, std::span<const std::int32_t>,
                                                       const ScanOptions&,
                                                       std::span<const std::uint32_t>);
template Result<std::vector<float>> scan_values(Device&, std::span<const float>, const ScanOptions&,
                                                std::span<const std::uint32_t>);
template Result<std::vector<std::uint64_t>> scan_values(Device&, std::span<const std::uint64_t>,
                                                        const ScanOptions&,
                                                        std::span<const std::uint32_t>);
template Result<std::vector<std::int64_t>> scan_values(Device&, std::span<const std::int64_t>,
                                                       const ScanOptions&,
                                                       std::span<const std::uint32_t>);

Result<std::vector<std::uint32_t>> exclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input) {
  return scan_values(device, input, {.mode = ScanMode::exclusive});
}

Result<std::vector<std::uint32_t>> inclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input) {
  return scan_values(device, input, {.mode = ScanMode::inclusive});
}

Result<Executable> compile_scan(Device& device, std::uint64_t rows, const ScanOptions& options) {
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  auto plan = plan_scan(rows, options, *profile);
  if (!plan) return pass_on(plan);
  return Executable::create(device, std::move(*plan));
}

Result<ScanReport> scan(Device& device, std::span<const std::uint32_t> input, const RowSink& output,
                        const ScanOptions& options, const ProgressSink& progress,
                        std::span<const std::uint32_t> segment_flags) {
  if (auto ok = api::check_given(api::kResultSink, bool{output}); !ok) return pass_on(ok);
  const bool has_carries = options.has_carry_in || options.has_carry_out;
  if (auto ok = api::check_no_carries("scan", has_carries); !ok) return pass_on(ok);
  const auto rows = api::count_rows(input, options.format);
  if (!rows) return pass_on(rows);
  if (auto ok = check_flags(*rows, options, segment_flags); !ok) return pass_on(ok);
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  const auto arrays = ScanArrays::create(*rows, options, profile->limits);
  if (!arrays) return pass_on(arrays);
  auto executable = compile_scan(device, *rows, options);
  if (!executable) return pass_on(executable);
  auto memory = DeviceArrays::create(device, executable->plan());
  if (!memory) return pass_on(memory);

  const std::uint64_t width = row_bytes(options.format);
  const auto tell = [&](std::string_view stage, std::uint64_t bytes) {
    if (progress) progress(stage, bytes / width, *rows);
  };
  const auto flags = segment_flags.first(options.is_segmented ? *rows : 0);
  auto filled = upload(device, *memory, *arrays, input, flags,
                       [&](std::uint64_t bytes) { tell("upload", bytes); });
  if (!filled) return pass_on(filled);

  ScanReport report = api::report_of(executable->plan(), *rows);
  tell("scan", 0);
  const auto imports = memory->imports();
  const auto ran = run(device, *executable, {.imports = imports}, &report.gpu_ns);
  if (!ran) return pass_on(ran);
  tell("scan", *rows * width);

  const auto read = download(device, *memory, *arrays, output,
                             [&](std::uint64_t bytes) { tell("read back", bytes); });
  if (!read) return pass_on(read);
  return report;
}

}  // namespace wgprim
