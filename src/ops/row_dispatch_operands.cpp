// How the rows of a dispatch are bound: input, output and flags of the section, in place or apart,
// whole or split, with the chunk table and the row count that go with them.
#include <algorithm>

#include "ops/row_bindings.hpp"
#include "ops/row_dispatch.hpp"

namespace wgprim {

/// Returns the word of the binding where the operand's first row stands.
std::uint32_t RowDispatch::bind_operand(std::uint32_t binding, OperandRole role) {
  const OperandRange& range = section_.range(role);
  const std::uint64_t base = section_.base(role, builder_.profile().limits);
  dispatch_.bindings.push_back({binding, range.buffer, base, range.end - base});
  return static_cast<std::uint32_t>((range.begin - base) / 4);
}

void RowDispatch::bind_places() {
  const bool is_chunked = section_.runs.size() > 1;
  if (section_.is_split()) {
    fill("place", is_chunked ? "place_split_chunked" : "place_split");
  } else if (is_chunked) {
    fill("place", "place_chunked");
  }
  if (!is_chunked) return;
  fill("runs", "runs_table");
  parameters_.runs = bind(kRunsBinding, section_.table).first_row;
  parameters_.run_count = static_cast<std::uint32_t>(section_.runs.size());
}

void RowDispatch::bind_row_count() {
  if (!task_.row_count) return;
  fill("row_count", "row_count_on_device");
  parameters_.count = bind(kRowCountBinding, *task_.row_count).first_word;
  parameters_.first_row = static_cast<std::uint32_t>(section_.first_row);
}

void RowDispatch::bind_flags() {
  if (!task_.is_segmented()) return;
  fill("rows", "rows_segmented");
  fill("flags", section_.is_quads ? "flags_quads" : "flags_words");
  parameters_.flags = bind_operand(kFlagsBinding, OperandRole::flags);
  if (!task_.segments) return;
  set("FIRST_STARTS", 1);
  parameters_.first_row = static_cast<std::uint32_t>(section_.first_row);
}

/// Where a dispatch that has an output finds its input.
std::string_view RowDispatch::source_of_output() const {
  if (section_.is_split())
    return section_.is_high_in_place() ? "source_split_in_place" : "source_split";
  if (!section_.is_shared()) return "source_separate";
  const bool is_one_binding = section_.is_one_binding(builder_.profile().limits);
  return is_one_binding ? "source_in_place" : "source_shared_buffer";
}

void RowDispatch::bind_input(std::string_view source) {
  if (source != "source_separate") fill("source", source);
  if (section_.is_quads) fill("access", "access_quads");
  parameters_.input = bind_operand(kInputBinding, OperandRole::input);
  if (section_.is_split()) {
    parameters_.input_high = bind_operand(kInputHighBinding, OperandRole::input_high);
  }
  dispatch_.workload.bytes_read += section_.rows * 4 * task_.op.words;
  if (task_.is_segmented()) dispatch_.workload.bytes_read += section_.rows * 4;
  bind_flags();
  bind_places();
  bind_row_count();
}

void RowDispatch::bind_output() {
  const bool is_quads = section_.is_quads;
  if (is_quads) fill("sink", "sink_quads");
  if (section_.is_split()) {
    fill("target", is_quads ? "target_split_quads" : "target_split_words");
    parameters_.output_high = bind_operand(kOutputHighBinding, OperandRole::output_high);
  } else if (is_quads) {
    fill("target", "target_quads");
  }
  parameters_.output = bind_operand(kOutputBinding, OperandRole::output);
  dispatch_.workload.bytes_written += section_.rows * 4 * task_.op.words;
}

/// The output's binding reaches over the input, too.
void RowDispatch::merge_bindings(std::uint32_t input, std::uint32_t output) {
  const auto merged = std::ranges::find(dispatch_.bindings, input, &PlanBinding::binding);
  const std::uint64_t bytes = merged->bytes;
  dispatch_.bindings.erase(merged);
  const auto kept = std::ranges::find(dispatch_.bindings, output, &PlanBinding::binding);
  kept->bytes = std::max(kept->bytes, bytes);
}

void RowDispatch::bind_rows_in() {
  bind_input(section_.is_split() ? "source_split" : "source_separate");
}

void RowDispatch::bind_rows_in_and_out() {
  set("IS_INCLUSIVE", task_.mode == ScanMode::inclusive ? 1 : 0);
  bind_input(source_of_output());
  bind_output();
  if (section_.is_one_binding(builder_.profile().limits)) {
    merge_bindings(kInputBinding, kOutputBinding);
  }
  if (section_.is_high_in_place()) merge_bindings(kInputHighBinding, kOutputHighBinding);
}

void RowDispatch::bind_rows_out() {
  fill("rows", task_.is_segmented() ? "offset_segmented" : "offset_plain");
  bind_output();
  dispatch_.workload.bytes_read += section_.rows * 4 * task_.op.words;
  bind_places();
  bind_row_count();
}

}  // namespace wgprim
