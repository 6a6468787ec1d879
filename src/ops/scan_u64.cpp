// The scan_u64 operation: what a description may say, and its task, a sum of 64 bits whose rows are
// split over operands of low and of high words. Where the high output shares a buffer with the high
// input but for the same views, the high words are copied to scratch first, chunk by chunk.
#include <algorithm>
#include <utility>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "ops/operations.hpp"
#include "ops/row_rules.hpp"
#include "ops/scan_paths.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kWordBytes = 4;

std::string name_in_text(const ScanU64& scan) { return concat("scan_u64 '", scan.id, "'"); }

/// An operand, and what messages call it.
struct NamedOperand {
  const char* name;
  const VectorView& view;
};

Result<void> check_words(const Graph::State& graph, const ScanU64& scan) {
  constexpr Format kFormats[] = {Format::uint32};
  const NamedOperand operands[] = {{"Low input", scan.input_low},
                                   {"High input", scan.input_high},
                                   {"Low output", scan.output_low},
                                   {"High output", scan.output_high}};
  for (const auto& [name, view] : operands) {
    const std::string operand = concat(name, " of ", name_in_text(scan));
    if (auto ok = check_packed(graph, operand, view, kFormats); !ok) return ok;
  }
  return {};
}

Result<void> check_lengths(const ScanU64& scan) {
  const std::string what = name_in_text(scan);
  const std::uint64_t low = row_count(scan.input_low);
  const std::uint64_t high = row_count(scan.input_high);
  if (low != high) {
    return fail(ErrorCode::invalid_argument,
                concat("Low input of ", what, " holds ", low, " rows, its high input ", high, "."));
  }
  for (const auto& [name, view] : {NamedOperand{"Low output", scan.output_low},
                                   NamedOperand{"High output", scan.output_high}}) {
    auto ok = check_holds(concat(name, " of ", what), view, "input", scan.input_low);
    if (!ok) return ok;
  }
  return {};
}

const DataView& chunk_in(const VectorView& view, std::uint32_t buffer) {
  return *std::ranges::find_if(view.chunks, [&](const DataView& chunk) {
    return chunk.rows > 0 && chunk.buffer.index == buffer;
  });
}

Result<void> check_buffers(const Graph::State& graph, const ScanU64& scan) {
  const NamedOperand input_low = {"low input", scan.input_low};
  const NamedOperand input_high = {"high input", scan.input_high};
  const NamedOperand output_low = {"low output", scan.output_low};
  const NamedOperand output_high = {"high output", scan.output_high};
  using Pair = std::pair<NamedOperand, NamedOperand>;
  for (const auto& [written, other] :
       {Pair{output_low, input_low}, Pair{output_low, input_high}, Pair{output_low, output_high},
        Pair{output_high, input_low}}) {
    const auto shared = find_shared_buffer(written.view, other.view);
    if (!shared) continue;
    return fail(ErrorCode::aliasing,
                concat("The ", written.name, " ", describe(graph, chunk_in(written.view, *shared)),
                       " of ", name_in_text(scan), " shares a buffer with its ", other.name, " ",
                       describe(graph, chunk_in(other.view, *shared)), "."));
  }
  return {};
}

Result<void> check_outputs(const Graph::State& graph, const ScanU64& scan) {
  const std::string what = name_in_text(scan);
  for (const auto& [name, view] : {NamedOperand{"Low output", scan.output_low},
                                   NamedOperand{"High output", scan.output_high}}) {
    if (auto ok = check_no_self_overlap(graph, concat(name, " of ", what), view); !ok) return ok;
    if (auto ok = check_row_count(graph, what, scan.row_count, view); !ok) return ok;
  }
  return {};
}

Result<void> validate(const Graph::State& graph, const ScanU64& scan) {
  if (auto ok = check_words(graph, scan); !ok) return ok;
  if (auto ok = check_lengths(scan); !ok) return ok;
  if (auto ok = check_buffers(graph, scan); !ok) return ok;
  return check_outputs(graph, scan);
}

/// Whether high words must be out of the way before any is written.
bool copies_high_words(const ScanU64& scan) {
  return find_shared_buffer(scan.input_high, scan.output_high) &&
         plan_chunks(scan.input_high) != plan_chunks(scan.output_high);
}

std::vector<BufferUse> uses_of(const ScanU64& scan) {
  std::vector<BufferUse> uses;
  add_uses(uses, scan.input_low, Use::storage_read);
  add_uses(uses, scan.input_high, copies_high_words(scan) ? Use::copy_source : Use::storage_read);
  if (scan.row_count) add_uses(uses, *scan.row_count, Use::storage_read);
  add_uses(uses, scan.output_low, Use::storage_write);
  add_uses(uses, scan.output_high, Use::storage_write);
  return uses;
}

/// Copies the chunks to scratch, each to a buffer of its own (to several, where a limit that was
/// lowered demands it).
std::vector<PlanView> copied(PlanBuilder& builder, const std::vector<PlanView>& chunks) {
  const std::uint64_t most =
      std::max<std::uint64_t>(builder.profile().limits.max_buffer_size / kWordBytes, 1);
  std::vector<PlanView> copies;
  for (const PlanView& chunk : chunks) {
    for (std::uint64_t first = 0; first < chunk.rows; first += most) {
      const std::uint64_t rows = std::min(most, chunk.rows - first);
      const std::uint64_t bytes = rows * kWordBytes;
      const std::uint32_t copy = builder.add_transient(concat("high", copies.size()), bytes);
      builder.add_copy({.source = chunk.buffer,
                        .source_offset = chunk.byte_offset + first * kWordBytes,
                        .destination = copy,
                        .bytes = bytes});
      copies.push_back({copy, 0, rows});
    }
  }
  return copies;
}

}  // namespace

Result<void> Graph::add(ScanU64 scan) {
  if (auto ok = validate(*state_, scan); !ok) return ok;
  Node node{.id = scan.id, .operation = {}, .uses = uses_of(scan)};
  node.operation = std::move(scan);
  return state_->append(std::move(node));
}

Result<void> lower(const ScanU64& scan, PlanBuilder& builder) {
  const std::string what = name_in_text(scan);
  auto sum = row_operator(OperatorKind::sum, Format::uint64, what);
  if (!sum) return pass_on(sum);
  std::vector<PlanView> high = plan_chunks(scan.input_high);
  if (copies_high_words(scan)) high = copied(builder, high);
  return lower_scan(
      builder, what,
      {.path = scan.path, .subgroups = scan.subgroups, .rows = row_count(scan.input_low)},
      {.operands = {plan_chunks(scan.input_low),
                    plan_chunks(scan.output_low),
                    {},
                    std::move(high),
                    plan_chunks(scan.output_high)},
       .op = std::move(*sum),
       .mode = scan.mode,
       .row_count = plan_row(scan.row_count)});
}

}  // namespace wgprim
