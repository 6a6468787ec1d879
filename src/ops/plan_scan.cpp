// The plan of one scan over arrays of its own: what the one-call forms, the command line and the
// page run.
#include <algorithm>

#include "wgprim/detail/text.hpp"
#include "wgprim/graph.hpp"

namespace wgprim {
namespace {

/// Declares an array, in as many buffers as the largest buffer demands.
Result<VectorView> declare_array(Graph& graph, const std::string& name, std::uint64_t rows,
                                 const Limits& limits) {
  const std::uint64_t block = 256;  // Whole blocks, so that several buffers add no block.
  const std::uint64_t widest = limits.max_buffer_size / 4;
  const std::uint64_t most =
      std::max<std::uint64_t>(widest / block * block, std::min(widest, block));
  VectorView view;
  for (std::uint64_t first = 0; first < rows || first == 0; first += most) {
    if (most == 0) {
      return fail(ErrorCode::limit_exceeded,
                  concat("Array '", name, "' cannot hold a single row in a buffer of ",
                         limits.max_buffer_size, " bytes (maxBufferSize)."));
    }
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
