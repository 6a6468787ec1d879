// What scans and reductions ask of their operands alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_state.hpp"
#include "graph/plan_builder.hpp"
#include "ops/row_operator.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// The operator for rows of these chunks. Errors: those of row_operator; chunks whose formats the
/// operator treats differently. `what` names the operation: "scan 'totals'".
Result<RowOperator> operator_of_rows(const Operator& op, std::string_view what,
                                     const VectorView& first, const VectorView& second);

/// A packed operand of one row. `name` is what it is: "Row count".
Result<void> check_one_row(const Graph::State& graph, std::string_view name, std::string_view what,
                           const VectorView& rows, std::span<const Format> formats);

/// Segment flags are packed uint32 or int32, one a row of the input or more.
Result<void> check_flags(const Graph::State& graph, std::string_view what, const VectorView& flags,
                         const VectorView& input);

/// Errors: the written operand lies in a buffer that the other operand lies in, too. The names are
/// those of the operands: "Flags", "output".
Result<void> check_apart(const Graph::State& graph, std::string_view what, std::string_view name,
                         const VectorView& operand, std::string_view written_name,
                         const VectorView& written);

/// A row count is a uint32 in a buffer that the operation does not write.
Result<void> check_row_count(const Graph::State& graph, std::string_view what,
                             const std::optional<DataView>& count, const VectorView& output);

/// Whether subgroup kernels are used. Errors: `on` where the device has none.
Result<bool> choose_subgroups(Subgroups subgroups, std::string_view what,
                              const Capabilities& capabilities);

/// Notes in the plan's node how it goes about its `rows` rows: the path asked for, else the usual
/// one for that reason, and whether with subgroups, which is returned. Errors: as of
/// choose_subgroups.
Result<bool> note_choices(PlanBuilder& builder, std::string_view what, Path asked,
                          const char* reason, Subgroups subgroups, std::uint64_t rows);

/// The path asked for, else the usual one.
Path path_of(Path asked);

/// A view, and the chunks that hold rows, as plans see them.
PlanView plan_view(const DataView& view);
std::vector<PlanView> plan_chunks(const VectorView& vector);
std::optional<PlanView> plan_row(const std::optional<DataView>& view);

}  // namespace wgprim
