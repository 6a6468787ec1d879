// Dispatches of the kernels that scan and reduce rows: which fragments fill the kernels' slots,
// what is bound where, the parameter block. Called by the lowerings of scan and reduce.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/plan_builder.hpp"
#include "ops/row_operator.hpp"
#include "ops/sections.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Where a reduction by segments leaves what it finds.
struct SegmentResults {
  std::vector<PlanView> totals;    ///< Room for a row a segment, in order.
  std::optional<PlanView> number;  ///< A word for how many segments there are.
};

/// A scan or a reduction, of rows in any chunks.
struct RowTask {
  Operands operands;  ///< A reduction has no output.
  RowOperator op;
  ScanMode mode = ScanMode::exclusive;
  bool is_reverse = false;
  bool uses_subgroups = false;
  std::optional<PlanView> row_count;  ///< A word that lowers the rows on the device.
  std::optional<PlanView> carry_in;   ///< A row that the scan starts from.
  std::optional<PlanView> carry_out;  ///< A row that takes what all of them add up to.
  std::optional<std::array<std::uint32_t, 4>>
      initial;                             ///< What the scan and its segments start from.
  std::optional<SegmentResults> segments;  ///< A reduction by segments.
  std::optional<PlanView> total_item;      ///< Scratch for the item that all rows add up to.

  const std::vector<PlanView>& operand(OperandRole role) const {
    return operands[static_cast<std::size_t>(role)];
  }
  bool is_segmented() const { return !operand(OperandRole::flags).empty(); }
  /// Whether low and high words of rows are operands of their own.
  bool is_split() const { return !operand(OperandRole::input_high).empty(); }
  /// Whether totals of blocks behind the last row that counts reach anything.
  bool needs_all_totals() const { return is_reverse || carry_out || total_item; }
  std::uint64_t item_bytes() const;
};

/// Levels of totals that ranges of rows are looked up in: of nodes as wide as 64 lanes take, they
/// reach over all rows that one operation takes.
inline constexpr std::size_t kMostLevels = 3;

/// The parameter block of shaders/shared/parameters.wgsl, word for word.
struct RowParameters {
  std::uint32_t rows = 0;
  std::uint32_t blocks = 0;
  std::uint32_t input = 0;
  std::uint32_t output = 0;
  std::uint32_t flags = 0;
  std::uint32_t input_high = 0;
  std::uint32_t output_high = 0;
  std::uint32_t spine = 0;
  std::uint32_t open = 0;
  std::uint32_t first_row = 0;
  std::uint32_t count = 0;
  std::uint32_t carry_in = 0;
  std::uint32_t carry_out = 0;
  std::uint32_t runs = 0;
  std::uint32_t run_count = 0;
  std::uint32_t first_segment = 0;
  std::uint32_t segment_count = 0;
  std::uint32_t counted = 0;
  std::uint32_t levels = 0;
  std::array<std::uint32_t, 4> initial = {};
};

/// A workgroup as wide as the device allows up to 256 lanes. Errors: a device below 32 lanes, or
/// below the workgroup memory of an item a lane.
Result<std::uint32_t> choose_workgroup_width(const PlanBuilder& builder, const RowTask& task);

/// A dispatch over one section in the making. The functions below bind things to it and fill slots;
/// `add` gives it to the builder.
class RowDispatch {
 public:
  /// `kernel` is the portable kernel's name.
  RowDispatch(PlanBuilder& builder, const RowTask& task, std::string_view kernel,
              const Section& section);

  /// The rows of the task itself are loaded, and stored where it has an output; or, for
  /// add_block_offsets, only changed where they were stored. A row count on the device is heeded.
  void bind_rows_in();
  void bind_rows_in_and_out();
  void bind_rows_out();
  /// The totals of these segments are stored,
  void bind_segments(const SegmentWindow& window);
  /// the last one's and their number from the task's total_item, or by the only tile there is.
  void finish_segments();
  /// The rows of each segment are those between two offsets, one more than the window's segments;
  /// `levels` are the totals of its tiles, at least one level and at most kMostLevels.
  void bind_ranges(const SegmentWindow& window, const PlanView& offsets,
                   std::span<const PlanView> levels);
  /// The rows are items, in place or only read.
  void bind_items(std::string_view fragment, std::uint32_t binding);

  /// What blocks add up to, or what enters them.
  void bind_spine(std::string_view slot, std::string_view fragment);
  /// How many rows of each block are open to what enters it.
  void bind_open(const PlanView& open, bool is_written);
  /// The only block there is: it starts from what the task starts from,
  void start();
  /// and what it adds up to goes where the task says. It then runs even without a row.
  void finish();
  /// Segments start from the task's initial value.
  void use_initial();

  /// All blocks have a total, the identity where a smaller count per encode leaves them no rows.
  void keep_workgroups() { keeps_workgroups_ = true; }

  /// None of the section's rows is there.
  void take_no_rows() { parameters_.rows = 0; }

  void set(std::string_view constant, std::uint32_t value);

  /// Adds it; it follows a smaller count per encode as the level's rows do.
  Result<void> add(std::uint64_t rows_per_item, std::uint32_t workgroup_width);
  /// Adds it with a lane a segment bound; it follows a smaller count with its rows alone.
  Result<void> add_by_segments(std::uint32_t workgroup_width);

 private:
  void fill(std::string_view slot, std::string_view fragment);
  BoundView bind(std::uint32_t binding, const PlanView& view);
  std::uint32_t bind_operand(std::uint32_t binding, OperandRole role);
  std::string_view source_of_output() const;
  void bind_input(std::string_view source);
  void bind_output();
  void merge_bindings(std::uint32_t input, std::uint32_t output);
  void bind_flags();
  void bind_places();
  void bind_row_count();
  Result<void> add(Result<Shape> shape, std::uint64_t rows_per_item, std::uint64_t rows_per_group,
                   std::uint32_t workgroup_width);

  PlanBuilder& builder_;
  const RowTask& task_;
  const Section& section_;
  std::string kernel_;
  std::vector<std::pair<std::string_view, std::string_view>> slots_;
  std::vector<std::pair<std::string_view, std::uint32_t>> constants_;
  RowParameters parameters_;
  bool keeps_workgroups_ = false;
  PlanDispatch dispatch_;
};

}  // namespace wgprim
