// A branch that one encode takes and the next does not: three nodes on one condition replace what
// an unconditioned node made. Nothing is compiled again, and the host waits for nothing between.
#include <cstdio>
#include <functional>
#include <numeric>

#include "wgprim/wgprim.hpp"

namespace {

using namespace wgprim;

constexpr const char* kSquareRows = R"(
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> squares: array<u32>;
@compute @workgroup_size(256) fn square(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&values)) { squares[id.x] = values[id.x] * values[id.x]; }
})";

constexpr std::uint32_t kRows = 1000;

/// "result" = "values", or with the parameter "energy" the running sums of their squares.
Result<Executable> keep_or_accumulate(Device& device) {
  Graph graph;
  const auto whole = [](BufferId buffer) { return DataView{.buffer = buffer, .rows = kRows}; };
  const auto values = whole(graph.import_buffer({.id = "values", .bytes = 4 * kRows}).value());
  const auto result = whole(graph.import_buffer({.id = "result", .bytes = 4 * kRows}).value());
  const auto squares = whole(graph.declare_transient({.id = "squares", .rows = kRows}).value());
  const auto sums = whole(graph.declare_transient({.id = "sums", .rows = kRows}).value());
  const Compute square{.id = "square",
                       .wgsl = kSquareRows,
                       .uses = {{values, Use::storage_read, 0}, {squares, Use::storage_write, 1}},
                       .workgroups = {(kRows + 255) / 256, 1, 1},
                       .condition = "energy"};
  const Operation nodes[] = {
      Copy{.id = "keep", .source = values, .destination = result}, square,
      Scan{.id = "accumulate",
           .input = squares,
           .output = sums,
           .mode = ScanMode::inclusive,
           .condition = "energy"},
      Copy{.id = "publish", .source = sums, .destination = result, .condition = "energy"}};
  for (const Operation& node : nodes) {
    const auto added = std::visit([&](const auto& one) { return graph.add(one); }, node);
    if (!added) return pass_on(added);
  }
  return compile(device, graph);
}

}  // namespace

int main() {
  std::vector<std::uint32_t> rows(kRows), sums(kRows);
  std::iota(rows.begin(), rows.end(), 0u);
  std::transform_inclusive_scan(rows.begin(), rows.end(), sums.begin(), std::plus(),
                                [](std::uint32_t row) { return row * row; });
  auto device = Device::create();
  auto branch = device ? keep_or_accumulate(*device) : pass_on(device);
  if (!branch) return std::fprintf(stderr, "%s\n", branch.error().message.c_str()), 1;
  const auto usage = kUsageStorage | kUsageCopySource | kUsageCopyDestination;
  auto input = device->create_buffer(4 * kRows, usage, "values").value();
  auto output = device->create_buffer(4 * kRows, usage, "result").value();
  if (!device->upload(input, 0, std::as_bytes(std::span(rows)))) return 1;
  const Import imports[] = {{"values", &input}, {"result", &output}};
  for (const bool energy : {true, false, true}) {
    const Parameter parameters[] = {{"energy", energy}};
    if (!run(*device, *branch, {.imports = imports, .parameters = parameters})) return 1;
    std::vector<std::uint32_t> result;
    const auto take = [&](std::span<const std::byte> piece) -> Result<void> {
      const auto* const words = reinterpret_cast<const std::uint32_t*>(piece.data());
      return result.insert(result.end(), words, words + piece.size() / 4), Result<void>();
    };
    if (!device->download(output, 0, 4 * kRows, take)) return 1;
    if (result != (energy ? sums : rows)) return 1;
    std::printf("energy %s: %s, right\n", energy ? "true" : "false", energy ? "sums" : "values");
  }
}
