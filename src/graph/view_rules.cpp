// Checks of views; see the header. Every message names the operand, the buffer, the value and the
// limit.
#include "graph/view_rules.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

Result<void> check_chunk(const Graph::State& graph, std::string_view what, const DataView& view) {
  if (view.buffer.owner != &graph || view.buffer.index >= graph.buffers.size()) {
    return fail(ErrorCode::invalid_view, concat(what, " lies in a buffer of another graph."));
  }
  const ImportedBuffer& buffer = graph.buffer(view.buffer);
  const std::uint64_t width = row_bytes(view.format);
  const std::uint64_t stride = view.byte_stride.value_or(width);
  if (view.rows > 1 && stride != width) {
    return fail(ErrorCode::invalid_view,
                concat(what, " in buffer '", buffer.id, "' has a stride of ", stride,
                       " bytes, but rows of ", width, " bytes must be packed."));
  }
  if (view.byte_offset % 4 != 0) {
    return fail(ErrorCode::invalid_view,
                concat(what, " starts at byte ", view.byte_offset, " of buffer '", buffer.id,
                       "', which is not a multiple of 4."));
  }
  const bool overflows =
      view.rows > std::numeric_limits<std::uint64_t>::max() / width ||
      view.byte_offset > std::numeric_limits<std::uint64_t>::max() - view.rows * width;
  if (overflows || view.byte_offset + view.rows * width > buffer.bytes) {
    return fail(ErrorCode::invalid_view, concat(what, " takes ", view.rows, " rows from byte ",
                                                view.byte_offset, " on, beyond the end of buffer '",
                                                buffer.id, "' (", buffer.bytes, " bytes)."));
  }
  return {};
}

/// The chunks with rows, by buffer and place.
std::vector<const DataView*> sorted_chunks(const VectorView& vector) {
  std::vector<const DataView*> chunks;
  for (const DataView& chunk : vector.chunks) {
    if (chunk.rows > 0) chunks.push_back(&chunk);
  }
  std::ranges::sort(chunks, {}, [](const DataView* view) {
    return std::pair(view->buffer.index, view->byte_offset);
  });
  return chunks;
}

}  // namespace

ByteRange byte_range(const DataView& view) {
  return {view.byte_offset, view.byte_offset + view.rows * row_bytes(view.format)};
}

std::uint64_t row_count(const VectorView& vector) {
  std::uint64_t rows = 0;
  for (const DataView& chunk : vector.chunks)
    rows += chunk.rows;
  return rows;
}

Result<void> check_packed(const Graph::State& graph, std::string_view what,
                          const VectorView& vector) {
  std::uint64_t rows = 0;
  for (const DataView& chunk : vector.chunks) {
    if (auto ok = check_chunk(graph, what, chunk); !ok) return ok;
    rows += chunk.rows;  // Cannot wrap: each is below 2^62 and the sum is checked as it grows.
    if (rows > kMaxRows) {
      return fail(ErrorCode::limit_exceeded,
                  concat(what, " holds ", rows, " rows or more, above the ", kMaxRows,
                         " that one operation takes."));
    }
  }
  return {};
}

bool overlap(const DataView& a, const DataView& b) {
  if (a.buffer != b.buffer || a.rows == 0 || b.rows == 0) return false;
  const ByteRange left = byte_range(a);
  const ByteRange right = byte_range(b);
  return left.begin < right.end && right.begin < left.end;
}

Result<void> check_no_self_overlap(const Graph::State& graph, std::string_view what,
                                   const VectorView& vector) {
  const auto chunks = sorted_chunks(vector);
  const auto clash = std::ranges::adjacent_find(
      chunks, [](const DataView* a, const DataView* b) { return overlap(*a, *b); });
  if (clash == chunks.end()) return {};
  return fail(ErrorCode::aliasing,
              concat(what, " has chunks that share bytes: ", describe(graph, **clash), " and ",
                     describe(graph, **(clash + 1)), "."));
}

std::optional<std::pair<const DataView*, const DataView*>> find_overlap(const VectorView& read,
                                                                        const VectorView& written) {
  const auto chunks = sorted_chunks(written);
  for (const DataView& chunk : read.chunks) {
    // The first written chunk that ends behind the start of this one is the only one to ask.
    const auto next = std::ranges::partition_point(chunks, [&](const DataView* other) {
      return std::pair(other->buffer.index, byte_range(*other).end) <=
             std::pair(chunk.buffer.index, chunk.byte_offset);
    });
    if (next != chunks.end() && overlap(chunk, **next)) return std::pair(&chunk, *next);
  }
  return std::nullopt;
}

std::string describe(const Graph::State& graph, const DataView& view) {
  const ByteRange range = byte_range(view);
  return concat("'", graph.buffer(view.buffer).id, "' [", range.begin, ", ", range.end, ")");
}

}  // namespace wgprim
