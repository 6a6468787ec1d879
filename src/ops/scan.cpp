// The scan operation: what a description may say, and which path it takes.
// The passes of path `chained` are in ops/chained_scan.cpp.
#include "ops/scan.hpp"

#include <utility>

#include "graph/graph_state.hpp"
#include "graph/view_rules.hpp"
#include "ops/chained_scan.hpp"
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

Result<void> validate(const Graph::State& graph, const Scan& scan) {
  if (auto ok = graph.check_node_id(scan.id); !ok) return ok;
  const std::string input_name = concat("Input of scan '", scan.id, "'");
  const std::string output_name = concat("Output of scan '", scan.id, "'");
  if (auto ok = check_packed(graph, input_name, scan.input); !ok) return ok;
  if (auto ok = check_packed(graph, output_name, scan.output); !ok) return ok;
  const std::uint64_t input_rows = row_count(scan.input);
  const std::uint64_t output_rows = row_count(scan.output);
  if (output_rows < input_rows) {
    return fail(ErrorCode::invalid_argument,
                concat(output_name, " holds ", output_rows, " rows, fewer than the input's ",
                       input_rows, "."));
  }
  if (auto ok = check_no_self_overlap(graph, output_name, scan.output); !ok) return ok;
  return check_aliasing(graph, scan);
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
  std::string id = scan.id;
  state_->append(std::move(id), std::move(scan));
  return {};
}

Result<void> lower(const Scan& scan, PlanBuilder& builder) {
  builder.begin_node(scan.id, "scan");
  PlanNode& node = builder.node();
  node.path = to_string(Path::chained);
  node.reason = scan.path == Path::chained ? "asked for" : "the only path of this version";
  const auto uses_subgroups = choose_subgroups(scan, builder.profile().capabilities);
  if (!uses_subgroups) return pass_on(uses_subgroups);
  node.uses_subgroups = *uses_subgroups;
  return lower_chained_scan(builder, {.input = chunks_of(scan.input),
                                      .output = chunks_of(scan.output),
                                      .mode = scan.mode,
                                      .uses_subgroups = *uses_subgroups});
}

}  // namespace wgprim
