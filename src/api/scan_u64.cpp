// The one-call form of sums of split 64-bit words: its plan with upload and read-back around it.
#include "api/device_arrays.hpp"
#include "api/row_words.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim {
namespace {

using Words = std::vector<std::uint32_t>;

Result<api::PlacedArray> place_words(std::string_view name, std::size_t rows,
                                     const Limits& limits) {
  return api::place_array(name, rows, Format::uint32, {}, limits);
}

/// The array of that name, whole.
Result<Words> read_words(Device& device, api::DeviceArrays& arrays, std::string_view name,
                         std::size_t rows, const Limits& limits) {
  const auto placed = place_words(name, rows, limits);
  if (!placed) return pass_on(placed);
  auto words = api::RowCollector<std::uint32_t>::create(rows);
  if (!words) return pass_on(words);
  const auto append = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    words->append(piece);
    return {};
  };
  if (auto ok = arrays.download(device, *placed, append); !ok) return pass_on(ok);
  return words->take();
}

}  // namespace

Result<SplitRows> scan_u64(Device& device, std::span<const std::uint32_t> low,
                           std::span<const std::uint32_t> high, const ScanU64Options& options) {
  if (low.size() != high.size()) {
    return fail(ErrorCode::invalid_argument,
                concat("There are ", low.size(), " low words but ", high.size(), " high words."));
  }
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  auto plan = plan_scan_u64(low.size(), options, *profile);
  if (!plan) return pass_on(plan);
  auto executable = Executable::create(device, std::move(*plan));
  if (!executable) return pass_on(executable);
  auto arrays = api::DeviceArrays::create(device, executable->plan());
  if (!arrays) return pass_on(arrays);
  for (const auto& [name, words] : {std::pair{"input_low", low}, {"input_high", high}}) {
    const auto placed = place_words(name, words.size(), profile->limits);
    if (!placed) return pass_on(placed);
    if (auto ok = arrays->upload(device, *placed, std::as_bytes(words)); !ok) return pass_on(ok);
  }
  const auto imports = arrays->imports();
  if (auto ok = run(device, *executable, {.imports = imports}); !ok) return pass_on(ok);
  auto sums_low = read_words(device, *arrays, "output_low", low.size(), profile->limits);
  if (!sums_low) return pass_on(sums_low);
  auto sums_high = read_words(device, *arrays, "output_high", low.size(), profile->limits);
  if (!sums_high) return pass_on(sums_high);
  return SplitRows{std::move(*sums_low), std::move(*sums_high)};
}

}  // namespace wgprim
