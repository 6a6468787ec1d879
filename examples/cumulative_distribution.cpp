// A cumulative distribution: how many days had at most so much rain, and how much rain the wettest
// tenth of them. A kernel counts days by amount, an inclusive scan adds the counts up, and a
// percentile is the first amount whose total reaches its share.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "wgprim/wgprim.hpp"

namespace {

using namespace wgprim;
using Words = std::vector<std::uint32_t>;

constexpr const char* kCountDays = R"(
@group(0) @binding(0) var<storage, read> amounts: array<u32>;
@group(0) @binding(1) var<storage, read_write> days: array<atomic<u32>>;
@compute @workgroup_size(256) fn count_days(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&amounts)) {
    atomicAdd(&days[min(amounts[id.x], arrayLength(&days) - 1u)], 1u);
  }
})";

constexpr std::uint32_t kAmounts = 1000;  // Tenths of a millimetre; the last one counts all above.
constexpr std::uint64_t kBytes = 4 * kAmounts;

/// Rows of a .npy file of uint32: ten bytes, of which two tell how long the header is, then rows.
Words read_npy(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (bytes.size() < 10) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const std::size_t start = std::min(bytes.size(), 10uz + byte(8) + 256uz * byte(9));
  Words rows((bytes.size() - start) / 4);
  std::memcpy(rows.data(), bytes.data() + start, 4 * rows.size());
  return rows;
}

Result<Executable> distribution_of(Device& device, std::uint32_t rows) {
  Graph graph;
  const auto amounts = graph.import_buffer({.id = "amounts", .bytes = 4ull * rows}).value();
  const auto days = graph.declare_transient({.id = "days", .rows = kAmounts}).value();
  const auto totals = graph.import_buffer({.id = "totals", .bytes = kBytes}).value();
  const DataView input{.buffer = amounts, .rows = rows};
  const DataView counts{.buffer = days, .rows = kAmounts};
  const DataView output{.buffer = totals, .rows = kAmounts};
  const Operation nodes[] = {
      Clear{.id = "none yet", .destination = counts},
      Compute{.id = "count",
              .wgsl = kCountDays,
              .uses = {{input, Use::storage_read, 0}, {counts, Use::storage_read_write, 1}},
              .workgroups = {(rows + 255) / 256, 1, 1}},
      Scan{.id = "add up", .input = counts, .output = output, .mode = ScanMode::inclusive}};
  for (const Operation& node : nodes) {
    const auto added = std::visit([&](const auto& one) { return graph.add(one); }, node);
    if (!added) return pass_on(added);
  }
  return compile(device, graph);
}

}  // namespace

int main(int count, char** words) {
  Words rain = read_npy(count > 1 ? words[1] : "data/seattle_precipitation.npy"), totals(kAmounts);
  if (rain.empty()) return std::fprintf(stderr, "There are no amounts to read.\n"), 1;
  const auto rows = static_cast<std::uint32_t>(rain.size());
  auto device = Device::create();
  auto adding = device ? distribution_of(*device, rows) : pass_on(device);
  if (!adding) return std::fprintf(stderr, "%s\n", adding.error().message.c_str()), 1;
  const auto usage = kUsageStorage | kUsageCopySource | kUsageCopyDestination;
  auto input = device->create_buffer(4ull * rows, usage, "amounts").value();
  auto output = device->create_buffer(kBytes, usage, "totals").value();
  const Import imports[] = {{"amounts", &input}, {"totals", &output}};
  auto* next = reinterpret_cast<std::byte*>(totals.data());
  const auto take = [&](std::span<const std::byte> piece) -> Result<void> {
    return next = std::ranges::copy(piece, next).out, Result<void>();
  };
  if (!device->upload(input, 0, std::as_bytes(std::span(rain)))) return 1;
  if (!run(*device, *adding, {.imports = imports})) return 1;
  if (!device->download(output, 0, kBytes, take)) return 1;

  std::ranges::sort(rain);  // What it should be.
  bool is_right = true;
  for (const std::uint32_t percent : {25u, 50u, 75u, 90u, 99u, 100u}) {
    const auto share = (percent * rows + 99) / 100;
    const auto amount = std::ranges::lower_bound(totals, share) - totals.begin();
    is_right = is_right && amount == rain[share - 1];
    std::printf("%3u %% of %u days had at most %4.1f mm |%.*s\n", percent, rows,
                static_cast<double>(amount) / 10, static_cast<int>(amount / 10),
                "############################################################");
  }
  return is_right ? 0 : 1;
}
