// The scan operation: what a description may say, and which path it takes.
// The passes of path `chained` are in ops/chained_scan.cpp.
#include <optional>
#include <utility>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "ops/chained_scan.hpp"
#include "ops/operations.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// The chunks that hold rows.
std::vector<PlanView> chunks_of(const VectorView& vector) {
  std::vector<PlanView> chunks;
  for (const DataView& chunk : vector.chunks) {
    if (chunk.rows > 0) chunks.push_back({chunk.buffer.index, chunk.byte_offset, chunk.rows});
  }
  return chunks;
}

/// Chunks that adjoin in one buffer as one: a dispatch for each would compute nothing else.
std::vector<PlanView> merged(const std::vector<PlanView>& chunks) {
  std::vector<PlanView> whole;
  for (const PlanView& chunk : chunks) {
    const bool adjoins = !whole.empty() && whole.back().buffer == chunk.buffer &&
                         whole.back().byte_offset + whole.back().rows * 4 == chunk.byte_offset;
    if (adjoins) {
      whole.back().rows += chunk.rows;
    } else {
      whole.push_back(chunk);
    }
  }
  return whole;
}

std::optional<PlanView> row_count_of(const Scan& scan) {
  if (!scan.row_count) return std::nullopt;
  const DataView& word = *scan.row_count;
  return PlanView{word.buffer.index, word.byte_offset, word.rows};
}

/// In place means row for row: chunk for chunk the same views. Anything else must be disjoint.
Result<void> check_aliasing(const Graph::State& graph, const Scan& scan) {
  if (chunks_of(scan.input) == chunks_of(scan.output)) return {};
  const auto clash = find_overlap(scan.input, scan.output);
  if (!clash) return {};
  return fail(ErrorCode::aliasing,
              concat("Scan '", scan.id, "' reads ", describe(graph, *clash->first), " and writes ",
                     describe(graph, *clash->second),
                     ", which overlap; in place needs the same views, chunk for chunk."));
}

/// A count that the scan itself would overwrite says nothing, and no dispatch may read a buffer
/// that it writes.
Result<void> check_row_count(const Graph::State& graph, const Scan& scan) {
  if (!scan.row_count) return {};
  const std::string what = concat("Row count of scan '", scan.id, "'");
  constexpr Format kFormats[] = {Format::uint32};
  if (auto ok = check_packed(graph, what, *scan.row_count, kFormats); !ok) return ok;
  if (scan.row_count->rows != 1) {
    return fail(ErrorCode::invalid_argument,
                concat(what, " is one row, not ", scan.row_count->rows, "."));
  }
  const auto shared = find_shared_buffer(*scan.row_count, scan.output);
  if (!shared) return {};
  return fail(ErrorCode::aliasing, concat(what, " lies in buffer '", graph.buffers[*shared].id,
                                          "', which the scan writes."));
}

Result<void> validate(const Graph::State& graph, const Scan& scan) {
  const std::string input = concat("Input of scan '", scan.id, "'");
  const std::string output = concat("Output of scan '", scan.id, "'");
  constexpr Format kFormats[] = {Format::uint32, Format::int32};  // Both wrap, bit for bit alike.
  if (auto ok = check_packed(graph, input, scan.input, kFormats); !ok) return ok;
  if (auto ok = check_packed(graph, output, scan.output, kFormats); !ok) return ok;
  if (auto ok = check_holds(output, scan.output, "input", scan.input); !ok) return ok;
  if (auto ok = check_no_self_overlap(graph, output, scan.output); !ok) return ok;
  if (auto ok = check_aliasing(graph, scan); !ok) return ok;
  return check_row_count(graph, scan);
}

/// A buffer that holds input and output is read and written.
std::vector<BufferUse> uses_of(const Scan& scan) {
  std::vector<BufferUse> uses;
  add_uses(uses, scan.input, Use::storage_read);
  add_uses(uses, scan.output, Use::storage_write);
  if (scan.row_count) add_uses(uses, *scan.row_count, Use::storage_read);
  return uses;
}

/// Whether subgroup kernels are used.
Result<bool> choose_subgroups(const Scan& scan, const Capabilities& capabilities) {
  if (scan.subgroups == Subgroups::on && !capabilities.subgroups) {
    return fail(
        ErrorCode::unsupported,
        concat("Scan '", scan.id, "' asks for subgroups, which the device does not offer."));
  }
  return scan.subgroups != Subgroups::off && capabilities.subgroups;
}

}  // namespace

Result<void> Graph::add(Scan scan) {
  if (auto ok = validate(*state_, scan); !ok) return ok;
  Node node{.id = scan.id, .operation = {}, .uses = uses_of(scan)};
  node.operation = std::move(scan);
  return state_->append(std::move(node));
}

Result<void> lower(const Scan& scan, PlanBuilder& builder) {
  PlanNode& node = builder.node();
  node.path = to_string(Path::chained);
  node.reason = scan.path == Path::chained ? "asked for" : "the only path of this version";
  const auto uses_subgroups = choose_subgroups(scan, builder.profile().capabilities);
  if (!uses_subgroups) return pass_on(uses_subgroups);
  node.uses_subgroups = *uses_subgroups;
  node.row_capacity = row_count(scan.input);
  return lower_chained_scan(builder, {.input = merged(chunks_of(scan.input)),
                                      .output = merged(chunks_of(scan.output)),
                                      .mode = scan.mode,
                                      .uses_subgroups = *uses_subgroups,
                                      .row_count = row_count_of(scan)});
}

}  // namespace wgprim
