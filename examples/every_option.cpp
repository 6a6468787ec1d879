// What a scan and a reduction may be told, a line or two each, with what comes out. The pages of
// docs/ quote these lines.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "wgprim/wgprim.hpp"

namespace {

using wgprim::OperatorKind;

/// The last value that is not 0: fills the gaps of a column. It does not commute.
constexpr const char* kLastNonzero = R"(
fn identity() -> Element { return 0u; }
fn combine(a: Element, b: Element) -> Element { return select(b, a, b == 0u); }
)";

int wrong_results = 0;

template <class T>
void expect(const char* what, const wgprim::Result<T>& found, const T& expected) {
  const bool is_right = found && *found == expected;
  if (!is_right) ++wrong_results;
  std::printf("%-28s %s\n", what, is_right ? "right" : "WRONG");
  if (!found) std::printf("  %s\n", found.error().message.c_str());
}

void scans(wgprim::Device& device) {
  const std::vector<std::uint32_t> counts = {3, 1, 4, 2};
  auto offsets = wgprim::exclusive_scan(device, counts);  // 0 3 4 8
  auto totals = wgprim::inclusive_scan(device, counts);   // 3 4 8 10
  expect("exclusive", offsets, {0, 3, 4, 8});
  expect("inclusive", totals, {3, 4, 8, 10});
  const std::vector<std::uint32_t> starts = {1, 0, 1, 0};
  auto restarting = wgprim::exclusive_scan(device, counts, {}, starts);  // 0 3 0 4
  expect("segments", restarting, {0, 3, 0, 4});
  auto left = wgprim::exclusive_scan(device, counts, {.is_reverse = true});  // 7 6 2 0
  auto shifted = wgprim::exclusive_scan(device, counts, {.init = 100u});     // 100 103 104 108
  expect("reverse", left, {7, 6, 2, 0});
  expect("initial value", shifted, {100, 103, 104, 108});

  const std::vector<float> heights = {2, 0.5f, 1, -1};
  auto lowest = wgprim::inclusive_scan(device, heights, {.op = OperatorKind::min});  // 2 .5 .5 -1
  expect("float32 minimum", lowest, {2, 0.5f, 0.5f, -1});

  const std::vector<std::uint64_t> sizes = {1ull << 32, 5, 1};
  auto ends = wgprim::inclusive_scan(device, sizes, {});  // 4294967296 4294967301 4294967302
  expect("64 bits", ends, {1ull << 32, (1ull << 32) + 5, (1ull << 32) + 6});

  const wgprim::Operator fill(OperatorKind::custom, kLastNonzero, 1);
  const std::vector<std::uint32_t> column = {0, 7, 0, 0, 9};
  auto filled = wgprim::inclusive_scan(device, column, {.op = fill});  // 0 7 7 7 9
  expect("operator of one's own", filled, {0, 7, 7, 7, 9});
}

void kernels(wgprim::Device& device) {
  const auto profile = device.profile();
  if (profile && profile->capabilities.subgroups) {
    std::printf("subgroups of %u lanes\n", profile->capabilities.subgroup_size);
  }
  const std::vector<std::uint32_t> counts = {3, 1, 4, 2};
  auto portable = wgprim::exclusive_scan(device, counts, {.subgroups = wgprim::Subgroups::off});
  expect("without subgroups", portable, {0, 3, 4, 8});
}

void reductions(wgprim::Device& device) {
  const std::vector<std::uint32_t> counts = {3, 1, 4, 2};
  auto total = wgprim::reduce(device, counts);  // 10
  expect("sum", total, 10u);
  const std::vector<std::uint32_t> starts = {1, 0, 1, 0};
  auto sums = wgprim::reduce_by_flags(device, counts, starts);  // 4 6
  expect("sums by flags", sums, {4, 6});
  const std::vector<std::uint32_t> offsets = {0, 3, 3, 4};
  auto greatest =
      wgprim::reduce_by_offsets(device, counts, offsets, {.op = OperatorKind::max});  // 4 0 2
  expect("maxima by offsets", greatest, {4, 0, 2});

  const std::vector<float> heights = {2, 0.5f, 1, -1};
  auto highest = wgprim::reduce(device, heights, {.op = OperatorKind::max});  // 2
  expect("float32 maximum", highest, 2.0f);

  const std::vector<float> nothing;
  auto least = wgprim::reduce(device, nothing, {.op = OperatorKind::min});  // infinity
  expect("of no rows", least, std::numeric_limits<float>::infinity());
}

}  // namespace

int main() {
  auto device = wgprim::Device::create();
  if (!device) return std::fprintf(stderr, "%s\n", device.error().message.c_str()), 1;
  scans(*device);
  kernels(*device);
  reductions(*device);
  return wrong_results == 0 ? 0 : 1;
}
