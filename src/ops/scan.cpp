// The scan operation: what a description may say, and its task. The path is chosen in
// ops/scan_paths.cpp; the passes are in a file a path.
#include <optional>
#include <utility>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "ops/operations.hpp"
#include "ops/row_rules.hpp"
#include "ops/scan_paths.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

std::string name_in_text(const Scan& scan) { return concat("scan '", scan.id, "'"); }

/// In place means row for row: chunk for chunk the same views. Anything else must be disjoint.
Result<void> check_in_place(const Graph::State& graph, const Scan& scan) {
  if (plan_chunks(scan.input) == plan_chunks(scan.output)) return {};
  const auto clash = find_overlap(scan.input, scan.output);
  if (!clash) return {};
  return fail(ErrorCode::aliasing,
              concat("Scan '", scan.id, "' reads ", describe(graph, *clash->first), " and writes ",
                     describe(graph, *clash->second),
                     ", which overlap; in place needs the same views, chunk for chunk."));
}

/// The start and the end of a scan that goes on where another ended.
Result<void> check_carries(const Graph::State& graph, const Scan& scan) {
  const std::string what = name_in_text(scan);
  if (scan.segment_init && !scan.carry_in) {
    return fail(ErrorCode::invalid_argument,
                concat("Scan '", scan.id,
                       "' has an initial value of segments, but no carry_in; 'init' is for both."));
  }
  if (scan.carry_in) {
    if (scan.init) {
      return fail(ErrorCode::invalid_argument,
                  concat("Scan '", scan.id, "' has both an initial value and a carry_in."));
    }
    if (auto ok = check_one_row(graph, "carry_in", what, *scan.carry_in, formats()); !ok) return ok;
    auto ok = check_apart(graph, what, "carry_in", *scan.carry_in, "output", scan.output);
    if (!ok) return ok;
  }
  if (!scan.carry_out) return {};
  if (auto ok = check_one_row(graph, "carry_out", what, *scan.carry_out, formats()); !ok) return ok;
  const VectorView none;
  const VectorView flags = scan.segment_flags.value_or(none);
  const VectorView carry_in = scan.carry_in ? VectorView(*scan.carry_in) : none;
  const VectorView row_count = scan.row_count ? VectorView(*scan.row_count) : none;
  for (const auto& [name, operand] :
       {std::pair<const char*, const VectorView*>{"Input", &scan.input},
        {"Output", &scan.output},
        {"Segment flags", &flags},
        {"carry_in", &carry_in},
        {"Row count", &row_count}}) {
    auto ok = check_apart(graph, what, name, *operand, "carry_out", *scan.carry_out);
    if (!ok) return ok;
  }
  return {};
}

/// Every row there is has one format, as the operator takes it.
Result<void> check_formats(const Scan& scan) {
  const std::string what = name_in_text(scan);
  VectorView rows = scan.output;
  if (scan.carry_in) rows.chunks.push_back(*scan.carry_in);
  if (scan.carry_out) rows.chunks.push_back(*scan.carry_out);
  const auto op = operator_of_rows(scan.op, what, scan.input, rows);
  if (!op) return pass_on(op);
  for (const auto& init : {scan.init, scan.segment_init}) {
    if (!init) continue;
    const auto start = row_operator(scan.op, init->format, what);
    if (start && *start == *op) continue;
    return fail(ErrorCode::invalid_argument,
                concat("The initial value of ", what, " is ", to_string(init->format),
                       ", its rows are not."));
  }
  return {};
}

Result<void> validate(const Graph::State& graph, const Scan& scan) {
  const std::string input = concat("Input of scan '", scan.id, "'");
  const std::string output = concat("Output of scan '", scan.id, "'");
  if (auto ok = check_packed(graph, input, scan.input, formats()); !ok) return ok;
  if (auto ok = check_packed(graph, output, scan.output, formats()); !ok) return ok;
  if (auto ok = check_formats(scan); !ok) return ok;
  if (auto ok = check_holds(output, scan.output, "input", scan.input); !ok) return ok;
  if (auto ok = check_no_self_overlap(graph, output, scan.output); !ok) return ok;
  if (auto ok = check_in_place(graph, scan); !ok) return ok;
  const std::string what = name_in_text(scan);
  if (scan.segment_flags) {
    auto ok = check_flags(graph, what, *scan.segment_flags, scan.input);
    if (ok) {
      ok = check_apart(graph, what, "Segment flags", *scan.segment_flags, "output", scan.output);
    }
    if (!ok) return ok;
  }
  if (auto ok = check_carries(graph, scan); !ok) return ok;
  return check_row_count(graph, what, scan.row_count, scan.output);
}

/// A buffer that holds input and output is read and written.
std::vector<BufferUse> uses_of(const Scan& scan) {
  std::vector<BufferUse> uses;
  add_uses(uses, scan.input, Use::storage_read);
  if (scan.segment_flags) add_uses(uses, *scan.segment_flags, Use::storage_read);
  if (scan.carry_in) add_uses(uses, *scan.carry_in, Use::storage_read);
  if (scan.row_count) add_uses(uses, *scan.row_count, Use::storage_read);
  add_uses(uses, scan.output, Use::storage_write);
  if (scan.carry_out) add_uses(uses, *scan.carry_out, Use::storage_write);
  return uses;
}

/// What the scan starts from. Sums of floats are -0.0 for no rows, which only an inclusive scan
/// hides: an exclusive one starts at 0.0, and with a carry_in its segments do.
std::optional<std::array<std::uint32_t, 4>> initial_of(const Scan& scan, const RowOperator& op) {
  if (scan.init) return scan.init->words;
  if (scan.segment_init && scan.segment_flags) return scan.segment_init->words;
  const bool is_float_sum = op.fragment == "op_add_f32" && scan.mode == ScanMode::exclusive;
  if (is_float_sum && (!scan.carry_in || scan.segment_flags)) return std::array<std::uint32_t, 4>{};
  return std::nullopt;
}

}  // namespace

Result<void> Graph::add(Scan scan) {
  if (auto ok = validate(*state_, scan); !ok) return ok;
  Node node{.id = scan.id, .operation = {}, .uses = uses_of(scan)};
  node.operation = std::move(scan);
  return state_->append(std::move(node));
}

Result<void> lower(const Scan& scan, PlanBuilder& builder) {
  const std::string what = name_in_text(scan);
  auto op = operator_of_rows(scan.op, what, scan.input, scan.output);
  if (!op) return pass_on(op);
  RowTask task{.operands = {plan_chunks(scan.input), plan_chunks(scan.output), {}},
               .op = std::move(*op),
               .mode = scan.mode,
               .is_reverse = scan.is_reverse,
               .row_count = plan_row(scan.row_count),
               .carry_in = plan_row(scan.carry_in),
               .carry_out = plan_row(scan.carry_out)};
  task.initial = initial_of(scan, task.op);
  if (scan.segment_flags)
    task.operands[static_cast<std::size_t>(OperandRole::flags)] = plan_chunks(*scan.segment_flags);
  return lower_scan(builder, what,
                    {.path = scan.path, .subgroups = scan.subgroups, .rows = row_count(scan.input)},
                    std::move(task));
}

}  // namespace wgprim
