// Rows that kernels of one's own pick: flag -> scan -> scatter as one graph. What each node uses
// gives the order and the scratch; nothing comes back to the host in between.
#include <algorithm>
#include <cstdio>

#include "wgprim/wgprim.hpp"

namespace {

using namespace wgprim;

constexpr const char* kFlagEvenRows = R"(
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;
@compute @workgroup_size(256) fn flag(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&values)) { flags[id.x] = 1u - values[id.x] % 2u; }
})";

constexpr const char* kScatterFlaggedRows = R"(
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
@group(0) @binding(3) var<storage, read_write> kept: array<u32>;
@compute @workgroup_size(256) fn scatter(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&values) && flags[id.x] != 0u) { kept[offsets[id.x]] = values[id.x]; }
})";

constexpr std::uint32_t kRows = 100'000;

Result<Executable> select_even_rows(Device& device) {
  Graph graph;
  const auto whole = [](BufferId buffer) { return DataView{.buffer = buffer, .rows = kRows}; };
  const auto values = whole(graph.import_buffer({.id = "values", .bytes = 4 * kRows}).value());
  const auto kept = whole(graph.import_buffer({.id = "kept", .bytes = 4 * kRows}).value());
  const auto flags = whole(graph.declare_transient({.id = "flags", .rows = kRows}).value());
  const auto offsets = whole(graph.declare_transient({.id = "offsets", .rows = kRows}).value());
  const Compute flag{.id = "flag",
                     .wgsl = kFlagEvenRows,
                     .uses = {{values, Use::storage_read, 0}, {flags, Use::storage_write, 1}},
                     .workgroups = {(kRows + 255) / 256, 1, 1}};
  const Compute scatter{.id = "scatter",
                        .wgsl = kScatterFlaggedRows,
                        .uses = {{values, Use::storage_read, 0},
                                 {flags, Use::storage_read, 1},
                                 {offsets, Use::storage_read, 2},
                                 {kept, Use::storage_write, 3}},
                        .workgroups = flag.workgroups};
  if (const auto added = graph.add(flag); !added) return pass_on(added);
  const auto scanned = graph.add(Scan{.id = "place", .input = flags, .output = offsets});
  if (!scanned) return pass_on(scanned);
  if (const auto added = graph.add(scatter); !added) return pass_on(added);
  return compile(device, graph);
}

}  // namespace

int main() {
  std::vector<std::uint32_t> rows(kRows), kept;
  for (std::uint32_t i = 0; i < kRows; ++i)
    rows[i] = i * 7;
  auto device = Device::create();
  auto selection = device ? select_even_rows(*device) : pass_on(device);
  if (!selection) return std::fprintf(stderr, "%s\n", selection.error().message.c_str()), 1;
  const auto usage = kUsageStorage | kUsageCopySource | kUsageCopyDestination;
  auto input = device->create_buffer(4 * kRows, usage, "values").value();
  auto output = device->create_buffer(4 * kRows, usage, "kept").value();
  const Import imports[] = {{"values", &input}, {"kept", &output}};
  const auto take = [&](std::span<const std::byte> piece) -> Result<void> {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(piece.data());
    return kept.insert(kept.end(), words, words + piece.size() / 4), Result<void>();
  };
  if (!device->upload(input, 0, std::as_bytes(std::span(rows)))) return 1;
  if (!run(*device, *selection, {.imports = imports})) return 1;
  if (!device->download(output, 0, 4 * kRows / 2, take)) return 1;
  std::erase_if(rows, [](std::uint32_t row) { return row % 2 != 0; });  // What it should be.
  return kept == rows ? std::printf("%zu of %u rows kept: right\n", kept.size(), kRows), 0 : 1;
}
