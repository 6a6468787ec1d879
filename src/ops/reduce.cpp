// The reduce operation: what a description may say, and its task. The passes are in
// ops/reduce_then_scan.cpp, by offsets in ops/reduce_ranges.cpp.
#include <utility>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "ops/operations.hpp"
#include "ops/reduce_ranges.hpp"
#include "ops/reduce_then_scan.hpp"
#include "ops/row_rules.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

std::string name_in_text(const Reduce& reduce) { return concat("reduce '", reduce.id, "'"); }

/// What a reduction by segments may be told, and what follows for the output.
Result<void> check_segments(const Graph::State& graph, const Reduce& reduce) {
  const std::string what = name_in_text(reduce);
  const std::string output = concat("Output of ", what);
  constexpr Format kCounts[] = {Format::uint32};
  if (reduce.count && !reduce.segment_flags) {
    return fail(ErrorCode::invalid_argument,
                concat("Reduce '", reduce.id, "' has a count of segments, but no segment flags."));
  }
  if (reduce.offsets) {
    if (reduce.segment_flags) {
      return fail(ErrorCode::invalid_argument,
                  concat("Reduce '", reduce.id, "' has both segment flags and offsets."));
    }
    const std::string offsets = concat("Offsets of ", what);
    if (auto ok = check_packed(graph, offsets, *reduce.offsets, kCounts); !ok) return ok;
    const std::uint64_t rows = reduce.offsets->rows;
    if (rows == 0) {
      return fail(ErrorCode::invalid_argument,
                  concat("There are no offsets for ", what, "; k ranges take k + 1 of them."));
    }
    if (row_count(reduce.output) + 1 >= rows) return {};
    return fail(ErrorCode::invalid_argument,
                concat(output, " holds ", row_count(reduce.output), " rows, fewer than the ",
                       rows - 1, " ranges of its offsets."));
  }
  if (!reduce.segment_flags) return check_one_row(graph, "Output", what, reduce.output, formats());
  if (auto ok = check_flags(graph, what, *reduce.segment_flags, reduce.input); !ok) return ok;
  if (auto ok = check_holds(output, reduce.output, "input", reduce.input); !ok) return ok;
  return reduce.count ? check_one_row(graph, "Count", what, *reduce.count, kCounts)
                      : Result<void>();
}

/// What is written lies in no buffer that is read, and each in its own.
Result<void> check_aliasing(const Graph::State& graph, const Reduce& reduce) {
  const std::string what = name_in_text(reduce);
  const VectorView none;
  const auto vector_of = [](const std::optional<DataView>& view) {
    return view ? VectorView(*view) : VectorView();
  };
  const VectorView offsets = vector_of(reduce.offsets);
  const VectorView count = vector_of(reduce.count);
  const VectorView& flags = reduce.segment_flags ? *reduce.segment_flags : none;
  const std::pair<const char*, const VectorView*> read[] = {
      {"Input", &reduce.input}, {"Segment flags", &flags}, {"Offsets", &offsets}};
  for (const auto& [name, operand] : read) {
    auto ok = check_apart(graph, what, name, *operand, "output", reduce.output);
    if (ok) ok = check_apart(graph, what, name, *operand, "count", count);
    if (!ok) return ok;
  }
  auto ok = check_apart(graph, what, "Count", count, "output", reduce.output);
  if (ok) ok = check_row_count(graph, what, reduce.row_count, reduce.output);
  if (!ok || !reduce.row_count) return ok;
  return check_apart(graph, what, "Row count", *reduce.row_count, "count", count);
}

Result<void> validate(const Graph::State& graph, const Reduce& reduce) {
  const std::string what = name_in_text(reduce);
  const std::string output = concat("Output of ", what);
  if (auto ok = check_packed(graph, concat("Input of ", what), reduce.input, formats()); !ok) {
    return ok;
  }
  if (auto ok = check_packed(graph, output, reduce.output, formats()); !ok) return ok;
  if (auto ok = check_segments(graph, reduce); !ok) return ok;
  if (auto ok = check_no_self_overlap(graph, output, reduce.output); !ok) return ok;
  const auto op = operator_of_rows(reduce.op, what, reduce.input, reduce.output);
  if (!op) return pass_on(op);
  return check_aliasing(graph, reduce);
}

std::vector<BufferUse> uses_of(const Reduce& reduce) {
  std::vector<BufferUse> uses;
  add_uses(uses, reduce.input, Use::storage_read);
  if (reduce.segment_flags) add_uses(uses, *reduce.segment_flags, Use::storage_read);
  if (reduce.offsets) add_uses(uses, *reduce.offsets, Use::storage_read);
  if (reduce.row_count) add_uses(uses, *reduce.row_count, Use::storage_read);
  add_uses(uses, reduce.output, Use::storage_write);
  if (reduce.count) add_uses(uses, *reduce.count, Use::storage_write);
  return uses;
}

/// Why a reduction takes the path that it takes if nobody asks.
const char* reason_of(const Reduce& reduce) {
  if (reduce.offsets) return "looks ranges up in totals of tiles, on either path";
  if (reduce.segment_flags) return "moves 2 words a row and a flag";
  return "has no more tiles to total up than chained";
}

}  // namespace

Result<void> Graph::add(Reduce reduce) {
  if (auto ok = validate(*state_, reduce); !ok) return ok;
  Node node{.id = reduce.id, .operation = {}, .uses = uses_of(reduce)};
  node.operation = std::move(reduce);
  return state_->append(std::move(node));
}

Result<void> lower(const Reduce& reduce, PlanBuilder& builder) {
  const Path path = path_of(reduce.path);
  const auto uses_subgroups =
      note_choices(builder, name_in_text(reduce), reduce.path, reason_of(reduce), reduce.subgroups,
                   row_count(reduce.input));
  if (!uses_subgroups) return pass_on(uses_subgroups);
  auto op = operator_of_rows(reduce.op, name_in_text(reduce), reduce.input, reduce.output);
  if (!op) return pass_on(op);
  RowTask task{.operands = {plan_chunks(reduce.input), {}, {}},
               .op = std::move(*op),
               .uses_subgroups = *uses_subgroups,
               .row_count = plan_row(reduce.row_count)};
  std::vector<PlanView> totals = plan_chunks(reduce.output);
  if (!reduce.segment_flags && !reduce.offsets) {
    task.carry_out = totals.front();
    return lower_reduction(builder, task, path);
  }
  task.segments = {std::move(totals), plan_row(reduce.count)};
  if (reduce.offsets) {
    return lower_reduction_by_offsets(builder, task, plan_view(*reduce.offsets));
  }
  task.operands[static_cast<std::size_t>(OperandRole::flags)] = plan_chunks(*reduce.segment_flags);
  return lower_reduction_by_flags(builder, std::move(task), path);
}

}  // namespace wgprim
