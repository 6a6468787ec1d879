// Copies and clears: what their descriptions may say, and their commands. WebGPU has both as
// commands of the encoder, outside of compute passes.
#include <utility>

#include "graph/graph_state.hpp"
#include "graph/spans.hpp"
#include "graph/view_rules.hpp"
#include "ops/operations.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

Result<void> check_formats(const Copy& copy) {
  const VectorView* const views[] = {&copy.source, &copy.destination};
  std::optional<Format> format;
  for (const VectorView* view : views) {
    for (const DataView& chunk : view->chunks) {
      if (!format) format = chunk.format;
      if (chunk.format == *format) continue;
      return fail(ErrorCode::invalid_argument,
                  concat("Copy '", copy.id, "' mixes rows of format ", to_string(*format), " and ",
                         to_string(chunk.format), "."));
    }
  }
  return {};
}

Result<void> validate(const Graph::State& graph, const Copy& copy) {
  const std::string source = concat("Source of copy '", copy.id, "'");
  const std::string destination = concat("Destination of copy '", copy.id, "'");
  if (auto ok = check_packed(graph, source, copy.source, formats()); !ok) return ok;
  if (auto ok = check_packed(graph, destination, copy.destination, formats()); !ok) return ok;
  if (auto ok = check_formats(copy); !ok) return ok;
  if (auto ok = check_holds(destination, copy.destination, "source", copy.source); !ok) return ok;
  if (auto ok = check_no_self_overlap(graph, destination, copy.destination); !ok) return ok;
  const auto shared = find_shared_buffer(copy.source, copy.destination);
  if (!shared) return {};
  return fail(ErrorCode::aliasing,
              concat("Copy '", copy.id, "' reads and writes buffer '", graph.buffers[*shared].id,
                     "'; WebGPU copies between different buffers only."));
}

}  // namespace

Result<void> Graph::add(Copy copy) {
  if (auto ok = validate(*state_, copy); !ok) return ok;
  Node node{.id = copy.id, .operation = {}, .uses = {}};
  add_uses(node.uses, copy.source, Use::copy_source);
  add_uses(node.uses, copy.destination, Use::copy_destination);
  node.operation = std::move(copy);
  return state_->append(std::move(node));
}

Result<void> Graph::add(Clear clear) {
  const std::string what = concat("Destination of clear '", clear.id, "'");
  if (auto ok = check_packed(*state_, what, clear.destination, formats()); !ok) return ok;
  if (auto ok = check_no_self_overlap(*state_, what, clear.destination); !ok) return ok;
  Node node{.id = clear.id, .operation = {}, .uses = {}};
  add_uses(node.uses, clear.destination, Use::copy_destination);
  node.operation = std::move(clear);
  return state_->append(std::move(node));
}

Result<void> lower(const Copy& copy, PlanBuilder& builder) {
  for_each_span<2>({&copy.source, &copy.destination}, [&](const std::array<DataView, 2>& span) {
    const ByteRange source = byte_range(span[0]);
    builder.add_copy({.source = span[0].buffer.index,
                      .source_offset = source.begin,
                      .destination = span[1].buffer.index,
                      .destination_offset = span[1].byte_offset,
                      .bytes = source.end - source.begin});
  });
  return {};
}

Result<void> lower(const Clear& clear, PlanBuilder& builder) {
  for (const DataView& chunk : clear.destination.chunks) {
    const ByteRange range = byte_range(chunk);
    if (chunk.rows == 0) continue;
    builder.add_clear(
        {.buffer = chunk.buffer.index, .offset = range.begin, .bytes = range.end - range.begin});
  }
  return {};
}

}  // namespace wgprim
