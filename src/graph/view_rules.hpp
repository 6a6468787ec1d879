// What a view may look like and when two views touch. Used by every operation's validation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph_state.hpp"
#include "wgprim/result.hpp"
#include "wgprim/view.hpp"

namespace wgprim {

/// Byte range [begin, end) that a checked view reaches over; empty for a view without rows.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

ByteRange byte_range(const DataView& view);

/// Sum of the chunks' rows.
std::uint64_t row_count(const VectorView& vector);

/// Checks each chunk of an operand named `what`: buffer of this graph, starting at a multiple of 4
/// bytes, rows that do not overlap each other, inside its buffer, no 64-bit overflow. Rows may be
/// strided.
Result<void> check_views(const Graph::State& graph, std::string_view what,
                         const VectorView& vector);

/// Also that rows are packed, of one of the formats, and at most 2^32 - 1 in all.
Result<void> check_packed(const Graph::State& graph, std::string_view what,
                          const VectorView& vector, std::span<const Format> formats);

/// Same buffer and intersecting byte ranges. Empty views never overlap.
bool overlap(const DataView& a, const DataView& b);

/// Errors: two chunks of a written operand share bytes.
Result<void> check_no_self_overlap(const Graph::State& graph, std::string_view what,
                                   const VectorView& vector);

/// Errors: a written operand with fewer rows than the one it takes up.
Result<void> check_holds(std::string_view what, const VectorView& written, std::string_view source,
                         const VectorView& read);

/// A chunk of `read` and one of `written` that share bytes, if there are any. The chunks of
/// `written` share none among themselves. Sorts, so that thousands of chunks take no time.
std::optional<std::pair<const DataView*, const DataView*>> find_overlap(const VectorView& read,
                                                                        const VectorView& written);

/// The buffers of the chunks that hold rows, ascending, each once.
std::vector<std::uint32_t> buffers_of(const VectorView& vector);

/// Adds that use of each of them.
void add_uses(std::vector<BufferUse>& uses, const VectorView& vector, Use use);

/// A buffer in which both have rows.
std::optional<std::uint32_t> find_shared_buffer(const VectorView& a, const VectorView& b);

/// The verb that agrees with "Segment flags of scan 's'" (several) or "Input of scan 's'" (one).
std::string_view verb(std::string_view subject, std::string_view one, std::string_view several);

/// "'counts' [16, 4116)": a view in messages.
std::string describe(const Graph::State& graph, const DataView& view);

}  // namespace wgprim
