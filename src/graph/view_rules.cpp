// Checks of views; see the header. Every message names the operand, the buffer, the value and the
// limit.
#include "graph/view_rules.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::uint64_t stride_of(const DataView& view) {
  return view.byte_stride.value_or(row_bytes(view.format));
}

/// Errors: rows that lie on each other, or do not start at words.
Result<void> check_stride(std::string_view what, const GraphBuffer& buffer, const DataView& view) {
  const std::uint64_t width = row_bytes(view.format);
  const std::uint64_t stride = stride_of(view);
  if (view.rows < 2 || (stride >= width && stride % 4 == 0)) return {};
  const std::string problem =
      stride < width ? concat("less than its rows of ", width, " bytes") : "no multiple of 4";
  return fail(ErrorCode::invalid_view,
              concat(what, " in buffer '", buffer.id, "'", verb(what, " has", " have"),
                     " a stride of ", stride, " bytes, ", problem, "."));
}

bool overflows(const DataView& view) {
  if (view.rows == 0) return false;
  const std::uint64_t width = row_bytes(view.format);
  if (view.byte_offset > kMost - width) return true;
  return view.rows > 1 && view.rows - 1 > (kMost - width - view.byte_offset) / stride_of(view);
}

Result<void> check_owner(const Graph::State& graph, std::string_view what, const DataView& view) {
  if (view.buffer.owner == &graph && view.buffer.index < graph.buffers.size()) return {};
  return fail(ErrorCode::invalid_view,
              concat(what, verb(what, " lies", " lie"), " in a buffer of another graph."));
}

Result<void> check_view(const Graph::State& graph, std::string_view what, const DataView& view) {
  if (auto ok = check_owner(graph, what, view); !ok) return ok;
  const GraphBuffer& buffer = graph.buffer(view.buffer);
  if (auto ok = check_stride(what, buffer, view); !ok) return ok;
  if (view.byte_offset % 4 != 0) {
    return fail(ErrorCode::invalid_view,
                concat(what, verb(what, " starts", " start"), " at byte ", view.byte_offset,
                       " of buffer '", buffer.id, "', which is not a multiple of 4."));
  }
  const bool is_outside = overflows(view) || byte_range(view).end > buffer.bytes;
  if (is_outside || view.byte_offset > buffer.bytes) {
    return fail(ErrorCode::invalid_view,
                concat(what, verb(what, " takes ", " take "), view.rows, " rows from byte ",
                       view.byte_offset, " on, beyond the end of buffer '", buffer.id, "' (",
                       buffer.bytes, " bytes)."));
  }
  return {};
}

Result<void> check_format(std::string_view what, const DataView& view,
                          std::span<const Format> formats) {
  if (std::ranges::find(formats, view.format) != formats.end()) return {};
  std::string accepted;
  for (const Format format : formats)
    accepted += concat(accepted.empty() ? "" : ", ", to_string(format));
  return fail(ErrorCode::unsupported,
              concat(what, verb(what, " has", " have"), " rows of format ", to_string(view.format),
                     "; ", verb(what, "it takes ", "they take "), accepted, "."));
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

std::string_view verb(std::string_view subject, std::string_view one, std::string_view several) {
  return subject.substr(0, subject.find(" of ")).ends_with('s') ? several : one;
}

ByteRange byte_range(const DataView& view) {
  if (view.rows == 0) return {view.byte_offset, view.byte_offset};
  return {view.byte_offset,
          view.byte_offset + (view.rows - 1) * stride_of(view) + row_bytes(view.format)};
}

std::uint64_t row_count(const VectorView& vector) {
  std::uint64_t rows = 0;
  for (const DataView& chunk : vector.chunks)
    rows += chunk.rows;
  return rows;
}

Result<void> check_views(const Graph::State& graph, std::string_view what,
                         const VectorView& vector) {
  for (const DataView& chunk : vector.chunks) {
    if (auto ok = check_view(graph, what, chunk); !ok) return ok;
  }
  return {};
}

Result<void> check_packed(const Graph::State& graph, std::string_view what,
                          const VectorView& vector, std::span<const Format> formats) {
  std::uint64_t rows = 0;
  for (const DataView& chunk : vector.chunks) {
    if (auto ok = check_owner(graph, what, chunk); !ok) return ok;
    if (chunk.rows > 1 && stride_of(chunk) != row_bytes(chunk.format)) {
      return fail(
          ErrorCode::invalid_view,
          concat(what, " in buffer '", graph.buffer(chunk.buffer).id, "'",
                 verb(what, " has", " have"), " a stride of ", stride_of(chunk),
                 " bytes, but rows of ", row_bytes(chunk.format), " bytes must be packed."));
    }
    if (auto ok = check_view(graph, what, chunk); !ok) return ok;
    if (auto ok = check_format(what, chunk, formats); !ok) return ok;
    rows += chunk.rows;  // Cannot wrap: each is below 2^62 and the sum is checked as it grows.
    if (rows > kMaxRows) {
      return fail(ErrorCode::limit_exceeded,
                  concat(what, verb(what, " holds ", " hold "), rows, " rows or more, above the ",
                         kMaxRows, " that one operation takes."));
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
  return fail(ErrorCode::aliasing, concat(what, verb(what, " has", " have"),
                                          " chunks that share bytes: ", describe(graph, **clash),
                                          " and ", describe(graph, **(clash + 1)), "."));
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

Result<void> check_holds(std::string_view what, const VectorView& written, std::string_view source,
                         const VectorView& read) {
  const std::uint64_t needed = row_count(read);
  const std::uint64_t held = row_count(written);
  if (held >= needed) return {};
  return fail(ErrorCode::invalid_argument,
              concat(what, verb(what, " holds ", " hold "), held, " rows, fewer than the ", source,
                     "'s ", needed, "."));
}

std::vector<std::uint32_t> buffers_of(const VectorView& vector) {
  std::vector<std::uint32_t> buffers;
  for (const DataView& chunk : vector.chunks) {
    if (chunk.rows > 0) buffers.push_back(chunk.buffer.index);
  }
  std::ranges::sort(buffers);
  buffers.erase(std::ranges::unique(buffers).begin(), buffers.end());
  return buffers;
}

void add_uses(std::vector<BufferUse>& uses, const VectorView& vector, Use use) {
  for (const std::uint32_t buffer : buffers_of(vector))
    uses.push_back({buffer, use});
}

std::optional<std::uint32_t> find_shared_buffer(const VectorView& a, const VectorView& b) {
  const auto left = buffers_of(a);
  const auto right = buffers_of(b);
  std::vector<std::uint32_t> shared;
  std::ranges::set_intersection(left, right, std::back_inserter(shared));
  return shared.empty() ? std::nullopt : std::optional(shared.front());
}

std::string describe(const Graph::State& graph, const DataView& view) {
  const ByteRange range = byte_range(view);
  return concat("'", graph.buffer(view.buffer).id, "' [", range.begin, ", ", range.end, ")");
}

}  // namespace wgprim
