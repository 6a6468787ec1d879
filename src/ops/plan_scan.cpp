// The plan of one scan over arrays of its own: what the one-call forms, the command line and the
// page run.
#include <algorithm>

#include "ops/chained_scan.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/graph.hpp"

namespace wgprim {
namespace {

/// 16 GiB take a hundred buffers on the smallest device; a limit of a few bytes asks for billions.
constexpr std::uint64_t kMostBuffers = 65536;

/// Declares an array, in as many buffers as the largest buffer demands.
Result<VectorView> declare_array(Graph& graph, const std::string& name, std::uint64_t rows,
                                 const Limits& limits) {
  // Whole blocks where a buffer holds one, so that several buffers add no block.
  const std::uint64_t widest = limits.max_buffer_size / 4;
  const std::uint64_t most = widest < kScanBlock ? widest : widest / kScanBlock * kScanBlock;
  if (most == 0 || rows / most >= kMostBuffers) {
    return fail(ErrorCode::limit_exceeded,
                concat("Array '", name, "' of ", rows, " rows takes more than ", kMostBuffers,
                       " buffers of ", limits.max_buffer_size, " bytes (maxBufferSize)."));
  }
  VectorView view;
  for (std::uint64_t first = 0; first < rows || first == 0; first += most) {
    const std::uint64_t count = std::min(most, rows - first);
    const std::string id = rows > most ? concat(name, view.chunks.size()) : name;
    const auto buffer = graph.import_buffer({.id = id, .bytes = count * 4});
    if (!buffer) return pass_on(buffer);
    view.chunks.push_back({.buffer = *buffer, .rows = count});
  }
  return view;
}

}  // namespace

Result<Plan> plan_scan(std::uint64_t rows, const ScanOptions& options,
                       const DeviceProfile& profile) {
  if (rows > kMaxRows) {
    return fail(ErrorCode::limit_exceeded, concat("A scan of ", rows, " rows is above the ",
                                                  kMaxRows, " that one operation takes."));
  }
  Graph graph;
  const auto input =
      declare_array(graph, options.is_in_place ? "data" : "input", rows, profile.limits);
  if (!input) return pass_on(input);
  const auto output =
      options.is_in_place ? input : declare_array(graph, "output", rows, profile.limits);
  if (!output) return pass_on(output);
  const auto added = graph.add(Scan{.id = "scan",
                                    .input = *input,
                                    .output = *output,
                                    .mode = options.mode,
                                    .path = options.path,
                                    .subgroups = options.subgroups});
  if (!added) return pass_on(added);
  return graph.compile(profile);
}

}  // namespace wgprim
