// Checks of operands; see the header.
#include "ops/row_rules.hpp"

#include <algorithm>

#include "graph/view_rules.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {

Result<RowOperator> operator_of_rows(const Operator& op, std::string_view what,
                                     const VectorView& first, const VectorView& second) {
  std::optional<RowOperator> common;
  Format format = Format::uint32;
  for (const VectorView* vector : {&first, &second}) {
    for (const DataView& chunk : vector->chunks) {
      auto own = row_operator(op, chunk.format, what);
      if (!own) return own;
      if (!common) format = chunk.format;
      if (common && *own != *common) {
        return fail(
            ErrorCode::invalid_view,
            concat("The rows of ", what, " are ", to_string(format), " and ",
                   to_string(chunk.format), ", which its operator takes for different things."));
      }
      if (!common) common = std::move(*own);
    }
  }
  return common ? std::move(*common) : row_operator(op, format, what);
}

Result<void> check_one_row(const Graph::State& graph, std::string_view name, std::string_view what,
                           const VectorView& rows, std::span<const Format> formats) {
  const std::string operand = concat(name, " of ", what);
  if (auto ok = check_packed(graph, operand, rows, formats); !ok) return ok;
  if (row_count(rows) == 1) return {};
  return fail(ErrorCode::invalid_argument,
              concat(operand, " is one row, not ", row_count(rows), "."));
}

Result<void> check_flags(const Graph::State& graph, std::string_view what, const VectorView& flags,
                         const VectorView& input) {
  const std::string operand = concat("Segment flags of ", what);
  constexpr Format kFormats[] = {Format::uint32, Format::int32};
  if (auto ok = check_packed(graph, operand, flags, kFormats); !ok) return ok;
  return check_holds(operand, flags, "input", input);
}

Result<void> check_apart(const Graph::State& graph, std::string_view what, std::string_view name,
                         const VectorView& operand, std::string_view written_name,
                         const VectorView& written) {
  const auto shared = find_shared_buffer(operand, written);
  if (!shared) return {};
  return fail(ErrorCode::aliasing,
              concat(name, " of ", what, verb(name, " lies", " lie"), " in buffer '",
                     graph.buffers[*shared].id, "', where its ", written_name, " is written."));
}

Result<void> check_row_count(const Graph::State& graph, std::string_view what,
                             const std::optional<DataView>& count, const VectorView& output) {
  if (!count) return {};
  constexpr Format kFormats[] = {Format::uint32};
  if (auto ok = check_one_row(graph, "Row count", what, *count, kFormats); !ok) return ok;
  return check_apart(graph, what, "Row count", *count, "output", output);
}

Result<bool> choose_subgroups(Subgroups subgroups, std::string_view what,
                              const Capabilities& capabilities) {
  if (subgroups == Subgroups::on && !capabilities.subgroups) {
    std::string text = concat(what, " asks for subgroups, which the device does not offer.");
    text[0] = static_cast<char>(text[0] >= 'a' ? text[0] - 'a' + 'A' : text[0]);
    return fail(ErrorCode::unsupported, std::move(text));
  }
  return subgroups != Subgroups::off && capabilities.subgroups;
}

Path path_of(Path asked) { return asked == Path::automatic ? Path::reduce_then_scan : asked; }

Result<bool> note_choices(PlanBuilder& builder, std::string_view what, Path asked,
                          const char* reason, Subgroups subgroups, std::uint64_t rows) {
  PlanNode& node = builder.node();
  node.path = to_string(path_of(asked));
  node.reason = asked == Path::automatic ? reason : "asked for";
  node.row_capacity = rows;
  const auto uses_subgroups = choose_subgroups(subgroups, what, builder.profile().capabilities);
  if (uses_subgroups) node.uses_subgroups = *uses_subgroups;
  return uses_subgroups;
}

PlanView plan_view(const DataView& view) {
  return {view.buffer.index, view.byte_offset, view.rows,
          static_cast<std::uint32_t>(row_bytes(view.format))};
}

std::vector<PlanView> plan_chunks(const VectorView& vector) {
  std::vector<PlanView> chunks;
  for (const DataView& chunk : vector.chunks) {
    if (chunk.rows == 0) continue;
    chunks.push_back(plan_view(chunk));
  }
  return chunks;
}

std::optional<PlanView> plan_row(const std::optional<DataView>& view) {
  if (!view) return std::nullopt;
  return plan_chunks(*view).front();
}

}  // namespace wgprim
