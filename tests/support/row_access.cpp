// The fragments of shaders/shared, as far as memory is concerned; see the header. Binding numbers
// and the words of the parameter block are those of the shaders.
#include "support/row_access.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/kernel_table.hpp"
#include "support/kernel_operator.hpp"
#include "support/plan_lines.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

enum Binding : std::uint32_t {
  kOutput = 1,
  kInput = 3,
  kRowCount = 4,
  kFlags = 5,
  kCarryIn = 6,
  kOpen = 6,
  kCarryOut = 7,
  kRuns = 8,
  kNumber = 6,
  kTotalItem = 7,
  kInputHigh = 9,
  kOutputHigh = 10,
};

constexpr std::uint32_t kLevels[] = {2, 6, 7};

}  // namespace

RowAccess::RowAccess(InspectedMemory& memory, const PlanKernel& kernel,
                     const PlanDispatch& dispatch)
    : memory_(memory),
      kernel_(kernel),
      dispatch_(dispatch),
      op_(operator_of(kernel)),
      is_segmented_(has("item", "item_segmented")),
      is_reverse_(constant("IS_REVERSE") != 0),
      is_chunked_(has("runs", "runs_table")),
      is_split_(has("element", "element_split")),
      has_quads_(has("access", "access_quads")),
      has_quad_flags_(has("flags", "flags_quads")),
      input_binding_(has("source", "source_in_place") ? kOutput : kInput),
      input_high_binding_(has("source", "source_split_in_place") ? kOutputHigh : kInputHigh),
      item_words_(kernels::item_bytes(op_.words, is_segmented_) / 4) {
  if (has_quads_) require_quad_start("input");
  if (has("sink", "sink_quads")) require_quad_start("output");
  if (has_quad_flags_) require_quad_start("flags");
  if (is_split_ && has_quads_) require_quad_start("input_high");
  if (is_split_ && has("sink", "sink_quads")) require_quad_start("output_high");
}

bool RowAccess::has(std::string_view slot, std::string_view fragment) const {
  return fragment_of(kernel_, slot) == fragment;
}

std::uint32_t RowAccess::constant(std::string_view name) const {
  return constant_of(kernel_, name);
}

std::uint32_t RowAccess::parameter(std::string_view name) const {
  const auto place = parameter_places().find(name);
  if (place == parameter_places().end())
    throw std::runtime_error(concat("no parameter is called ", name));
  return dispatch_.parameters.at(place->second);
}

std::uint32_t RowAccess::live_rows() {
  const std::uint32_t planned = parameter("row_count");
  if (!has("row_count", "row_count_on_device")) return planned;
  const std::uint32_t count = memory_.load(kRowCount, parameter("count")).word;
  return std::min(count - std::min(count, parameter("first_row")), planned);
}

InspectedRow RowAccess::load_element(std::uint32_t row) {
  if (is_split_) {
    return load_split(input_binding_, Operand::input, input_high_binding_, Operand::input_high,
                      row);
  }
  const std::uint64_t at = word_of(Operand::input, row);
  if (has_quads_) {
    const std::uint64_t first = word_of(Operand::input, row / 4 * 4);
    touch_quads(input_binding_, first, first + 4 * op_.words - 1);
  }
  return load_words(input_binding_, at);
}

bool RowAccess::load_flag(std::uint32_t row) {
  const std::uint64_t at = word_of(Operand::flags, row);
  if (has_quad_flags_) touch_quads(kFlags, at, at);
  return memory_.load(kFlags, at).word != 0;
}

InspectedRow RowAccess::load_split(std::uint32_t low_binding, Operand low,
                                   std::uint32_t high_binding, Operand high, std::uint32_t row) {
  const std::uint64_t low_at = word_of(low, row);
  const std::uint64_t high_at = word_of(high, row);
  if (has_quads_) {
    touch_quads(low_binding, low_at, low_at);
    touch_quads(high_binding, high_at, high_at);
  }
  const InspectedWord low_word = memory_.load(low_binding, low_at);
  const InspectedWord high_word = memory_.load(high_binding, high_at);
  return {.words = {low_word.word, high_word.word},
          .is_stale = low_word.is_stale || high_word.is_stale};
}

InspectedRow RowAccess::load_result(std::uint32_t row) {
  if (is_split_) {
    return load_split(kOutput, Operand::output, kOutputHigh, Operand::output_high, row);
  }
  return load_words(kOutput, word_of(Operand::output, row));
}

void RowAccess::store_element(std::uint32_t row, const InspectedRow& element) {
  if (is_split_) {
    memory_.store(kOutput, word_of(Operand::output, row), {element.words[0], element.is_stale});
    memory_.store(kOutputHigh, word_of(Operand::output_high, row),
                  {element.words[1], element.is_stale});
    return;
  }
  store_words(kOutput, word_of(Operand::output, row), element);
}

InspectedItem RowAccess::load_item(std::uint32_t binding, std::string_view first,
                                   std::uint32_t index) {
  return load_item(binding, parameter(first), index);
}

InspectedItem RowAccess::load_item(std::uint32_t binding, std::uint32_t first,
                                   std::uint32_t index) {
  const std::uint64_t at = (std::uint64_t{first} + index) * item_words_;
  InspectedItem item{.value = load_words(binding, at)};
  if (is_segmented_) {
    const InspectedWord starts = memory_.load(binding, at + op_.words);
    item.starts = starts.word;
    item.value.is_stale |= starts.is_stale;
  }
  return item;
}

void RowAccess::store_item(std::uint32_t binding, std::string_view first, std::uint32_t index,
                           const InspectedItem& item) {
  const std::uint64_t at = (std::uint64_t{parameter(first)} + index) * item_words_;
  store_words(binding, at, item.value);
  if (is_segmented_) {
    memory_.store(binding, at + op_.words, {item.starts, item.value.is_stale});
  }
}

InspectedWord RowAccess::load_open(std::uint32_t group) {
  return memory_.load(kOpen, std::uint64_t{parameter("open")} + group);
}

void RowAccess::store_open(std::uint32_t group, std::uint32_t rows) {
  memory_.store(kOpen, std::uint64_t{parameter("open")} + group, {rows});
}

void RowAccess::store_carry_out(const InspectedRow& total) {
  store_words(kCarryOut, parameter("carry_out"), total);
}

InspectedRow RowAccess::load_segment(std::uint32_t segment) {
  const std::uint64_t window_row = segment - parameter("first_segment");
  return load_words(kOutput, parameter("output") + window_row * op_.words);
}

void RowAccess::store_segment(std::uint32_t segment, const InspectedRow& total) {
  const std::uint64_t window_row = std::uint64_t{segment} - parameter("first_segment");
  if (window_row >= parameter("segment_count")) return;
  store_words(kOutput, parameter("output") + window_row * op_.words, total);
}

void RowAccess::store_number_of_segments(const InspectedItem& all) {
  memory_.store(kNumber, parameter("counted"), {all.starts, all.value.is_stale});
}

InspectedItem RowAccess::load_total_item() { return load_item(kTotalItem, 0, 0); }

std::uint32_t RowAccess::load_offset(std::uint32_t index) {
  return memory_.load(kFlags, std::uint64_t{parameter("flags")} + index).word;
}

InspectedRow RowAccess::load_level(std::uint32_t level, std::uint32_t index) {
  return load_item(kLevels[level - 1], 0, index).value;
}

InspectedRow RowAccess::scan_start() {
  const bool is_carried = fragment_of(kernel_, "start").starts_with("start_carry_in");
  return is_carried ? load_words(kCarryIn, parameter("carry_in")) : segment_start();
}

InspectedRow RowAccess::segment_start() const {
  if (!fragment_of(kernel_, "start").ends_with("_initial")) return identity();
  InspectedRow start;
  for (std::uint32_t k = 0; k < op_.words; ++k)
    start.words.at(k) = parameter(concat("initial_", k));
  return start;
}

std::uint64_t RowAccess::word_of(Operand operand, std::uint32_t row) {
  constexpr const char* kFirst[] = {"input", "output", "flags", "input_high", "output_high"};
  const auto role = static_cast<std::size_t>(operand);
  const std::uint64_t words = operand == Operand::flags || is_split_ ? 1 : op_.words;
  if (!is_chunked_) return parameter(kFirst[role]) + row * words;
  const std::uint64_t run = run_of(row);
  const std::uint64_t at = run_words() * run;
  const std::uint32_t first_row = memory_.load(kRuns, at).word;
  const std::size_t column = role < 2 ? 1 + role : is_split_ ? role : 3;
  return memory_.load(kRuns, at + column).word + (row - first_row) * words;
}

/// The last run of the dispatch that starts at or below the row.
std::uint32_t RowAccess::run_of(std::uint32_t row) {
  std::uint32_t low = 0;
  std::uint32_t high = parameter("run_count") - 1;
  while (low < high) {
    const std::uint32_t middle = (low + high + 1) / 2;
    const std::uint64_t run = std::uint64_t{parameter("runs")} + middle;
    if (memory_.load(kRuns, run_words() * run).word <= row) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return parameter("runs") + low;
}

InspectedRow RowAccess::load_words(std::uint32_t binding, std::uint64_t at) {
  InspectedRow row;
  for (std::uint32_t k = 0; k < op_.words; ++k) {
    const InspectedWord loaded = memory_.load(binding, at + k);
    row.words.at(k) = loaded.word;
    row.is_stale |= loaded.is_stale;
  }
  return row;
}

void RowAccess::store_words(std::uint32_t binding, std::uint64_t at, const InspectedRow& row) {
  for (std::uint32_t k = 0; k < op_.words; ++k)
    memory_.store(binding, at + k, {row.words.at(k), row.is_stale});
}

void RowAccess::touch_quads(std::uint32_t binding, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t at = first / 4 * 4; at <= last / 4 * 4 + 3; ++at)
    memory_.load(binding, at);
}

/// Rows four at a time start with a vector of their binding.
void RowAccess::require_quad_start(std::string_view first) {
  const std::uint32_t at = parameter(first);
  if (at % 4 != 0) memory_.report(concat("takes quads from word ", at, " on"));
}

}  // namespace wgprim::testing
