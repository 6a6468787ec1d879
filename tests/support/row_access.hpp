// What the fragments of the scan family do to memory, a row or an item at a time: where a row
// stands (place, source, access, sink), flags, items, the spine, open rows, carries and totals.
// Used by row_kernels, one object a dispatch.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/row_operators.hpp"
#include "support/inspected_memory.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// A row, or what rows add up to.
struct InspectedRow {
  reference::Row words = {};
  bool is_stale = false;
};

/// What blocks add up to: the value since the last start of a segment, and how many starts.
struct InspectedItem {
  InspectedRow value;
  std::uint32_t starts = 0;
};

class RowAccess {
 public:
  RowAccess(InspectedMemory& memory, const PlanKernel& kernel, const PlanDispatch& dispatch);

  const reference::RowOperator& op() const { return op_; }
  bool is_segmented() const { return is_segmented_; }
  bool is_reverse() const { return is_reverse_; }
  bool has(std::string_view slot, std::string_view fragment) const;
  std::uint32_t constant(std::string_view name) const;
  /// A word of the parameter block by its name in shaders/shared/parameters.wgsl.
  std::uint32_t parameter(std::string_view name) const;

  /// Rows of the dispatch, a count on the device heeded.
  std::uint32_t live_rows();

  /// Rows of the caller's. A load takes in all words of its quad where rows come in quads.
  InspectedRow load_element(std::uint32_t row);
  bool load_flag(std::uint32_t row);
  InspectedRow load_result(std::uint32_t row);
  void store_element(std::uint32_t row, const InspectedRow& element);

  /// Items of a binding; `first` is the parameter with the place of the first.
  InspectedItem load_item(std::uint32_t binding, std::string_view first, std::uint32_t index);
  void store_item(std::uint32_t binding, std::string_view first, std::uint32_t index,
                  const InspectedItem& item);

  /// How many rows of the group's block, in scan order, are open to what enters it.
  InspectedWord load_open(std::uint32_t group);
  void store_open(std::uint32_t group, std::uint32_t rows);
  void store_carry_out(const InspectedRow& total);

  /// Totals of segments. Those that are not in the output's binding are left alone.
  InspectedRow load_segment(std::uint32_t segment);
  void store_segment(std::uint32_t segment, const InspectedRow& total);
  void store_number_of_segments(const InspectedItem& all);
  /// What the scan of the spine left.
  InspectedItem load_total_item();
  std::uint32_t load_offset(std::uint32_t index);
  /// A total of `level`, 1 or more, of those that ranges are put together from.
  InspectedRow load_level(std::uint32_t level, std::uint32_t index);

  InspectedRow identity() const { return {op_.identity}; }
  /// What the scan, and what a later segment starts from.
  InspectedRow scan_start();
  InspectedRow segment_start() const;

 private:
  InspectedItem load_item(std::uint32_t binding, std::uint32_t first, std::uint32_t index);

  enum class Operand { input, output, flags, input_high, output_high };

  /// Word of its binding where the operand's part of a row stands.
  std::uint64_t word_of(Operand operand, std::uint32_t row);
  std::uint32_t run_of(std::uint32_t row);
  std::uint64_t run_words() const { return is_split_ ? 5 : 4; }
  /// A split row, whose words stand in bindings of their own.
  InspectedRow load_split(std::uint32_t low_binding, Operand low, std::uint32_t high_binding,
                          Operand high, std::uint32_t row);
  InspectedRow load_words(std::uint32_t binding, std::uint64_t at);
  void store_words(std::uint32_t binding, std::uint64_t at, const InspectedRow& row);
  /// Reads the vectors of four words that hold words `first` to `last`.
  void touch_quads(std::uint32_t binding, std::uint64_t first, std::uint64_t last);
  void require_quad_start(std::string_view first);

  InspectedMemory& memory_;
  const PlanKernel& kernel_;
  const PlanDispatch& dispatch_;
  reference::RowOperator op_;
  bool is_segmented_;
  bool is_reverse_;
  bool is_chunked_;
  bool is_split_;
  bool has_quads_;
  bool has_quad_flags_;
  std::uint32_t input_binding_;
  std::uint32_t input_high_binding_;
  std::uint64_t item_words_;
};

}  // namespace wgprim::testing
