// Plans of one scan, of one scan of split rows and of one reduction over arrays of their own: what
// the one-call forms, the command line and the page run.
#include <tuple>

#include "wgprim/detail/text.hpp"
#include "wgprim/graph.hpp"

namespace wgprim {
namespace {

/// Declares an array, in as many buffers as its chunks and the largest buffer demand.
Result<VectorView> declare_array(Graph& graph, std::string_view name, std::uint64_t rows,
                                 Format format, const Placement& placement, const Limits& limits) {
  const auto layout = lay_out_array(name, rows, format, placement, limits);
  if (!layout) return pass_on(layout);
  std::vector<BufferId> buffers;
  for (const std::uint64_t bytes : layout->buffer_bytes) {
    const auto buffer =
        graph.import_buffer({.id = layout->buffer_id(name, buffers.size()), .bytes = bytes});
    if (!buffer) return pass_on(buffer);
    buffers.push_back(*buffer);
  }
  VectorView view;
  for (const ArrayPart& part : layout->parts) {
    view.chunks.push_back({.buffer = buffers[part.buffer],
                           .rows = part.rows,
                           .byte_offset = part.byte_offset,
                           .format = format});
  }
  return view;
}

Result<void> check_rows(std::string_view operation, std::uint64_t rows) {
  if (rows <= kMaxRows) return {};
  return fail(ErrorCode::limit_exceeded,
              concat("A ", operation, " of ", rows, " rows is above the ", kMaxRows,
                     " that one operation takes."));
}

Result<DataView> declare_row(Graph& graph, std::string_view name, Format format,
                             const Limits& limits) {
  const auto row = declare_array(graph, name, 1, format, {}, limits);
  return row ? Result<DataView>(row->chunks.front()) : pass_on(row);
}

Result<void> declare_carries(Graph& graph, const ScanOptions& options, const Limits& limits,
                             Scan& scan) {
  for (const auto& [is_asked, name, place] :
       {std::tuple(options.has_carry_in, "carry_in", &scan.carry_in),
        std::tuple(options.has_carry_out, "carry_out", &scan.carry_out)}) {
    if (!is_asked) continue;
    const auto row = declare_row(graph, name, options.format, limits);
    if (!row) return pass_on(row);
    *place = *row;
  }
  return {};
}

/// What tells the segments of a reduction apart.
Result<void> declare_segments(Graph& graph, std::uint64_t rows, const ReduceOptions& options,
                              const Limits& limits, Reduce& reduce) {
  if (options.is_segmented) {
    auto flags = declare_array(graph, "flags", rows, Format::uint32, {}, limits);
    if (!flags) return pass_on(flags);
    reduce.segment_flags = std::move(*flags);
    const auto number = declare_row(graph, "number", Format::uint32, limits);
    if (!number) return pass_on(number);
    reduce.count = *number;
  }
  if (!options.ranges) return {};
  const std::uint64_t bytes = 4 * (*options.ranges + 1);
  const auto offsets = graph.import_buffer({.id = "offsets", .bytes = bytes});
  if (!offsets) return pass_on(offsets);
  reduce.offsets = DataView{.buffer = *offsets, .rows = *options.ranges + 1};
  return {};
}

Result<void> check_chunks_in_place(const ScanOptions& options) {
  if (!options.is_in_place || options.output == options.input) return {};
  return fail(ErrorCode::invalid_argument,
              "The chunks of a scan in place are those of its input and of its output alike.");
}

}  // namespace

Result<Plan> plan_scan(std::uint64_t rows, const ScanOptions& options,
                       const DeviceProfile& profile) {
  if (auto ok = check_rows("scan", rows); !ok) return pass_on(ok);
  if (auto ok = check_chunks_in_place(options); !ok) return pass_on(ok);
  Graph graph;
  const auto input = declare_array(graph, options.is_in_place ? "data" : "input", rows,
                                   options.format, options.input, profile.limits);
  if (!input) return pass_on(input);
  const auto output = options.is_in_place ? input
                                          : declare_array(graph, "output", rows, options.format,
                                                          options.output, profile.limits);
  if (!output) return pass_on(output);
  Scan scan{.id = "scan",
            .input = *input,
            .output = *output,
            .mode = options.mode,
            .op = options.op,
            .is_reverse = options.is_reverse,
            .path = options.path,
            .subgroups = options.subgroups};
  if (options.is_segmented) {
    auto flags = declare_array(graph, "flags", rows, Format::uint32, options.flags, profile.limits);
    if (!flags) return pass_on(flags);
    scan.segment_flags = std::move(*flags);
  }
  (options.has_carry_in ? scan.segment_init : scan.init) = options.init;
  if (auto ok = declare_carries(graph, options, profile.limits, scan); !ok) return pass_on(ok);
  if (const auto added = graph.add(std::move(scan)); !added) return pass_on(added);
  return graph.compile(profile);
}

Result<Plan> plan_scan_u64(std::uint64_t rows, const ScanU64Options& options,
                           const DeviceProfile& profile) {
  if (auto ok = check_rows("scan", rows); !ok) return pass_on(ok);
  Graph graph;
  ScanU64 scan{.id = "scan",
               .input_low = {},
               .input_high = {},
               .output_low = {},
               .output_high = {},
               .mode = options.mode,
               .path = options.path,
               .subgroups = options.subgroups};
  for (const auto& [name, view] : {std::pair{"input_low", &scan.input_low},
                                   {"input_high", &scan.input_high},
                                   {"output_low", &scan.output_low},
                                   {"output_high", &scan.output_high}}) {
    auto words = declare_array(graph, name, rows, Format::uint32, {}, profile.limits);
    if (!words) return pass_on(words);
    *view = std::move(*words);
  }
  if (const auto added = graph.add(std::move(scan)); !added) return pass_on(added);
  return graph.compile(profile);
}

Result<Plan> plan_reduce(std::uint64_t rows, const ReduceOptions& options,
                         const DeviceProfile& profile) {
  if (auto ok = check_rows("reduction", rows); !ok) return pass_on(ok);
  if (auto ok = check_rows("reduction to", options.ranges.value_or(0)); !ok) return pass_on(ok);
  if (options.has_carry_in && (options.is_segmented || options.ranges)) {
    return fail(ErrorCode::invalid_argument, "A reduction by segments has no carry_in.");
  }
  Graph graph;
  const auto declare = [&](const char* name, std::uint64_t count, Format format) {
    return declare_array(graph, name, count, format, {}, profile.limits);
  };
  VectorView input;
  if (options.has_carry_in) {
    const auto carry = declare_row(graph, "carry_in", options.format, profile.limits);
    if (!carry) return pass_on(carry);
    input.chunks.push_back(*carry);
  }
  const auto array = declare("input", rows, options.format);
  if (!array) return pass_on(array);
  input.chunks.insert(input.chunks.end(), array->chunks.begin(), array->chunks.end());
  const std::uint64_t results = options.is_segmented ? rows : options.ranges.value_or(1);
  auto output = declare("output", results, options.format);
  if (!output) return pass_on(output);
  Reduce reduce{.id = "reduce",
                .input = std::move(input),
                .output = std::move(*output),
                .op = options.op,
                .path = options.path,
                .subgroups = options.subgroups};
  if (auto ok = declare_segments(graph, rows, options, profile.limits, reduce); !ok) {
    return pass_on(ok);
  }
  if (const auto added = graph.add(std::move(reduce)); !added) return pass_on(added);
  return graph.compile(profile);
}

}  // namespace wgprim
