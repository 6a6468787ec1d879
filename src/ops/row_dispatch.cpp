// Dispatches over rows; see the header. How rows themselves are bound is in
// ops/row_dispatch_operands.cpp.
#include "ops/row_dispatch.hpp"

#include <algorithm>
#include <bit>

#include "graph/dispatch_shape.hpp"
#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "ops/row_bindings.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr const char* element_fragment(std::uint32_t words) {
  constexpr const char* kFragments[] = {"element_1", "element_2", "element_3", "element_4"};
  return kFragments[words - 1];
}

std::vector<std::uint32_t> words_of(const RowParameters& p) {
  return {p.rows,        p.blocks,     p.input,      p.output,        p.flags,         p.input_high,
          p.output_high, p.spine,      p.open,       p.first_row,     p.count,         p.carry_in,
          p.carry_out,   p.runs,       p.run_count,  p.first_segment, p.segment_count, p.counted,
          p.levels,      p.initial[0], p.initial[1], p.initial[2],    p.initial[3]};
}

}  // namespace

std::uint64_t RowTask::item_bytes() const { return kernels::item_bytes(op.words, is_segmented()); }

Result<std::uint32_t> choose_workgroup_width(const PlanBuilder& builder, const RowTask& task) {
  const Limits& limits = builder.profile().limits;
  const std::string& id = builder.node().id;
  const std::uint64_t widest =
      std::min(limits.max_compute_invocations_per_workgroup, limits.max_compute_workgroup_size_x);
  if (widest < kernels::kFewestLanes) {
    return fail(ErrorCode::limit_exceeded,
                concat("Node '", id, "' takes workgroups of at least ", kernels::kFewestLanes,
                       " invocations, more than the device's ", widest,
                       " (maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX)."));
  }
  const std::uint64_t width = std::bit_floor(std::min(kernels::kMostLanes, widest));
  const std::uint64_t bytes = width * task.item_bytes();
  if (bytes > limits.max_compute_workgroup_storage_size) {
    return fail(ErrorCode::limit_exceeded,
                concat("Node '", id, "' takes ", bytes,
                       " bytes of workgroup memory, more than the device's limit "
                       "maxComputeWorkgroupStorageSize (",
                       limits.max_compute_workgroup_storage_size, ")."));
  }
  return static_cast<std::uint32_t>(width);
}

RowDispatch::RowDispatch(PlanBuilder& builder, const RowTask& task, std::string_view kernel,
                         const Section& section)
    : builder_(builder), task_(task), section_(section), kernel_(kernel) {
  const RowOperator& op = task.op;
  if (section.is_split()) {
    fill("element", "element_split");
  } else if (op.words != 1) {
    fill("element", element_fragment(op.words));
  }
  if (op.fragment != "op_add") fill("operator", op.fragment);
  if (!op.order.empty()) fill("order", op.order);
  if (!op.code.empty()) fill("code", op.code);
  if (task.is_segmented()) fill("item", "item_segmented");
  if (task.is_reverse) set("IS_REVERSE", 1);
  if (task.segments && task.is_segmented()) set("COUNTS_STARTS", 1);
  const std::string with_subgroups = concat(kernel, "_subgroup");
  if (task.uses_subgroups && kernels::find_shader_file(with_subgroups) != nullptr) {
    kernel_ = with_subgroups;
    if (!op.is_native() || task.is_segmented()) {
      fill("subgroup_operator",
           task.is_segmented() ? "op_segmented_subgroup" : "op_shuffle_subgroup");
      fill("shuffle", "shuffle_total");
    }
  }
  parameters_.rows = static_cast<std::uint32_t>(section.rows);
  parameters_.blocks = static_cast<std::uint32_t>(section.block_count());
}

void RowDispatch::fill(std::string_view slot, std::string_view fragment) {
  slots_.emplace_back(slot, fragment);
}

void RowDispatch::set(std::string_view constant, std::uint32_t value) {
  constants_.emplace_back(constant, value);
}

BoundView RowDispatch::bind(std::uint32_t binding, const PlanView& view) {
  const BoundView bound = bind_rows(binding, view);
  dispatch_.bindings.push_back(bound.binding);
  return bound;
}

void RowDispatch::bind_segments(const SegmentWindow& window) {
  if (kernel_.starts_with("scan_tiles")) fill("results", "results_segments");
  fill("sink", "sink_segments");
  parameters_.output = bind(kOutputBinding, window.totals).first_word;
  parameters_.first_segment = static_cast<std::uint32_t>(window.first_segment);
  parameters_.segment_count = static_cast<std::uint32_t>(window.totals.rows);
}

void RowDispatch::finish_segments() {
  fill("total", task_.total_item ? "total_segments_of_spine" : "total_segments");
  parameters_.counted = bind(kCountedBinding, *task_.segments->number).first_word;
  if (task_.total_item) bind(kTotalItemBinding, *task_.total_item);
  const std::uint64_t most = std::min<std::uint64_t>(section_.rows, parameters_.segment_count);
  dispatch_.workload.bytes_written += 4 + most * 4 * task_.op.words;
  keeps_workgroups_ = true;
}

void RowDispatch::bind_ranges(const SegmentWindow& window, const PlanView& offsets,
                              std::span<const PlanView> levels) {
  bind_segments(window);
  parameters_.flags = bind(kFlagsBinding, offsets).first_word;
  parameters_.first_row = static_cast<std::uint32_t>(section_.first_row);
  parameters_.levels = static_cast<std::uint32_t>(levels.size());
  for (std::size_t i = 0; i < kMostLevels; ++i)
    bind(kLevelBindings[i], levels[std::min(i, levels.size() - 1)]);
  dispatch_.workload.bytes_read += offsets.rows * 4;
  dispatch_.workload.bytes_written += window.totals.rows * 4 * task_.op.words;
}

void RowDispatch::bind_items(std::string_view fragment, std::uint32_t binding) {
  // Items lie in scratch of the node's own, one chunk a section.
  const OperandRange& range = section_.range(OperandRole::input);
  const auto row_bytes = static_cast<std::uint32_t>(task_.item_bytes());
  fill("rows", fragment);
  fill("place", "place_none");
  if (fragment != "offset_items") {
    fill("access", "access_none");
    fill("source", "source_none");
  }
  if (fragment != "rows_totals") {
    fill("sink", "sink_none");
    fill("target", "target_none");
  }
  if (fragment == "rows_items") fill("store", "store_items");
  parameters_.input =
      bind(binding, {range.buffer, range.begin, section_.rows, row_bytes}).first_row;
  dispatch_.workload.bytes_read += section_.rows * row_bytes;
  if (fragment != "rows_totals") dispatch_.workload.bytes_written += section_.rows * row_bytes;
}

void RowDispatch::bind_spine(std::string_view slot, std::string_view fragment) {
  fill(slot, fragment);
  parameters_.spine = bind(kSpineBinding, section_.totals).first_row;
  auto& bytes = slot == "carry" ? dispatch_.workload.bytes_read : dispatch_.workload.bytes_written;
  bytes += section_.block_count() * task_.item_bytes();
}

void RowDispatch::bind_open(const PlanView& open, bool is_written) {
  if (is_written) fill("open", "open_rows");
  parameters_.open = bind(kCarryInBinding, open).first_row;
  auto& bytes = is_written ? dispatch_.workload.bytes_written : dispatch_.workload.bytes_read;
  bytes += section_.block_count() * 4;
}

void RowDispatch::use_initial() {
  if (!task_.initial) return;
  fill("start", "start_initial");
  parameters_.initial = *task_.initial;
}

void RowDispatch::start() {
  fill("carry", "carry_start");
  if (!task_.carry_in) return use_initial();
  fill("start", task_.initial ? "start_carry_in_initial" : "start_carry_in");
  if (task_.initial) parameters_.initial = *task_.initial;
  parameters_.carry_in = bind(kCarryInBinding, *task_.carry_in).first_word;
  dispatch_.workload.bytes_read += 4 * task_.op.words;
}

void RowDispatch::finish() {
  if (task_.total_item) {
    keeps_workgroups_ = true;
    fill("total", "total_spine");
    parameters_.spine = bind(kSpineBinding, *task_.total_item).first_row;
    dispatch_.workload.bytes_written += task_.item_bytes();
    return;
  }
  fill("total", task_.carry_out ? "total_carry_out" : "total_none");
  if (!task_.carry_out) return;
  keeps_workgroups_ = true;
  parameters_.carry_out = bind(kCarryOutBinding, *task_.carry_out).first_word;
  dispatch_.workload.bytes_written += 4 * task_.op.words;
}

Result<void> RowDispatch::add(std::uint64_t rows_per_item, std::uint32_t workgroup_width) {
  return add(even_dispatch_shape(section_.rows, section_.block_rows,
                                 builder_.profile().limits.max_compute_workgroups_per_dimension),
             rows_per_item, section_.block_rows, workgroup_width);
}

Result<void> RowDispatch::add_by_segments(std::uint32_t workgroup_width) {
  keeps_workgroups_ = true;
  parameters_.blocks = 1;  // All rows are every workgroup's.
  return add(even_dispatch_shape(parameters_.segment_count, workgroup_width,
                                 builder_.profile().limits.max_compute_workgroups_per_dimension),
             1, section_.rows, workgroup_width);
}

Result<void> RowDispatch::add(Result<Shape> shape, std::uint64_t rows_per_item,
                              std::uint64_t rows_per_group, std::uint32_t workgroup_width) {
  if (!shape) {
    return fail(shape.error().code,
                concat("Node '", builder_.node().id, "': ", shape.error().message));
  }
  std::ranges::sort(dispatch_.bindings, {}, &PlanBinding::binding);
  set("WORKGROUP_WIDTH", workgroup_width);
  auto kernel = kernels::specialise(kernel_, slots_, constants_);
  if (!kernel) return pass_on(kernel);
  if (task_.op.fragment == "op_custom") kernel->operator_wgsl = task_.op.wgsl;
  dispatch_.kernel = builder_.add_kernel(std::move(*kernel));
  dispatch_.shape = *shape;
  dispatch_.parameters = words_of(parameters_);
  dispatch_.extent = {.first_item = section_.first_row,
                      .items = section_.rows,
                      .rows_per_item = rows_per_item,
                      .items_per_workgroup = static_cast<std::uint32_t>(rows_per_group),
                      .keeps_workgroups = keeps_workgroups_};
  return builder_.add_dispatch(std::move(dispatch_), workgroup_width);
}

}  // namespace wgprim
