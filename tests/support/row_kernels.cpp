// The bodies of the kernels, row after row; see the header. The algebra of items is written from
// what segments mean: an item is what its rows add up to since their last start.
#include "support/row_kernels.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/row_access.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

/// The name of the portable kernel.
std::string portable(std::string_view name) {
  constexpr std::string_view kSuffix = "_subgroup";
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  return std::string(name);
}

/// A row of the scan, or an item of a level above, as a group has it in hand.
struct LoadedRow {
  std::uint32_t row = 0;
  std::uint32_t position = 0;  ///< In scan order within the block.
  InspectedRow value;
  bool is_flagged = false;
  InspectedItem item;
};

class RowKernel {
 public:
  RowKernel(InspectedMemory& memory, const PlanKernel& kernel, const PlanDispatch& dispatch)
      : access_(memory, kernel, dispatch),
        name_(portable(kernel.name)),
        is_inclusive_(access_.constant("IS_INCLUSIVE") != 0),
        has_flags_(access_.has("rows", "rows_segmented")),
        notes_open_(access_.has("open", "open_rows")),
        is_of_items_(access_.has("rows", "rows_items") || access_.has("rows", "rows_totals") ||
                     access_.has("rows", "offset_items")),
        items_binding_(access_.has("rows", "rows_totals") ? 3 : 1) {}

  void run(std::uint32_t group) {
    if (name_ == "reduce_ranges") return reduce_ranges(group);
    if (group >= access_.parameter("group_count")) return;  // Padding.
    const bool is_tile = name_ == "scan_tiles" || name_ == "reduce_tiles";
    group_ = group;
    block_rows_ = access_.constant("WORKGROUP_WIDTH") *
                  (is_tile ? 4 * access_.constant("ROUNDS") : access_.constant("ROWS_PER_LANE"));
    first_row_ = group * block_rows_;
    live_rows_ = access_.live_rows();
    if (name_ == "scan_blocks" || name_ == "scan_tiles") return scan();
    if (name_ == "reduce_tiles") return store_total(total_of(load_rows()));
    if (name_ == "add_block_offsets") return add_block_offset();
    throw std::runtime_error(concat("no kernel of the scan family is called ", name_));
  }

 private:
  std::uint32_t row_at(std::uint32_t position) const {
    return first_row_ + (access_.is_reverse() ? block_rows_ - 1 - position : position);
  }

  /// A block without live rows adds nothing to what enters it.
  void scan() {
    const InspectedItem carry = block_carry();
    const std::vector<LoadedRow> rows = load_rows();
    const InspectedItem total = total_of(rows);
    store_total(combine(carry, total));
    if (rows.empty()) return;
    if (notes_open_ && total.starts == 0) access_.store_open(group_, block_rows_);
    InspectedItem running = carry;
    for (const LoadedRow& row : rows) {
      store_result(row, running);
      if (notes_open_ && row.is_flagged && running.starts == 0) {
        access_.store_open(group_, row.position + (access_.is_reverse() ? 1 : 0));
      }
      running = combine(running, row.item);
    }
  }

  void add_block_offset() {
    if (first_row_ >= live_rows_) return;
    const InspectedItem carry = block_carry();
    InspectedWord open{.word = block_rows_};
    if (access_.has("rows", "offset_segmented")) open = access_.load_open(group_);
    for (std::uint32_t position = 0; position < block_rows_; ++position) {
      const std::uint32_t row = row_at(position);
      if (row < live_rows_ && position < open.word) add_offset(row, carry, open.is_stale);
    }
  }

  /// Whether the row is the first of all of a reduction by segments.
  bool starts_all(std::uint32_t row) const {
    return access_.constant("FIRST_STARTS") != 0 && access_.parameter("first_row") + row == 0;
  }

  void reduce_ranges(std::uint32_t group) {
    live_rows_ = access_.live_rows();
    const std::uint32_t width = access_.constant("WORKGROUP_WIDTH");
    const std::uint64_t segments = access_.parameter("segment_count");
    const std::uint64_t end = std::min(segments, (std::uint64_t{group} + 1) * width);
    for (std::uint64_t segment = std::uint64_t{group} * width; segment < end; ++segment)
      reduce_range(static_cast<std::uint32_t>(segment));
  }

  void reduce_range(std::uint32_t segment) {
    const std::uint64_t first_row = access_.parameter("first_row");
    const std::uint64_t bounds[] = {access_.load_offset(segment), access_.load_offset(segment + 1)};
    const auto clamped = [&](std::uint64_t row) {
      return std::min<std::uint64_t>(row - std::min(row, first_row), live_rows_);
    };
    const std::uint32_t at = segment + access_.parameter("first_segment");
    const bool has_rows = clamped(bounds[0]) < clamped(bounds[1]);
    if (!has_rows && first_row > 0) return;
    InspectedRow total = access_.identity();
    if (has_rows && bounds[0] < first_row) total = access_.load_segment(at);
    if (has_rows) total = total_of_range(total, clamped(bounds[0]), clamped(bounds[1]));
    access_.store_segment(at, total);
  }

  /// The largest tiles that lie in what is left, one after the other.
  InspectedRow total_of_range(InspectedRow total, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t tile = access_.constant("TILE_ROWS");
    while (first < last) {
      std::uint64_t rows = 1;
      std::uint32_t level = 0;
      while (level < access_.parameter("levels") && first % (rows * tile) == 0 &&
             first + rows * tile <= last) {
        rows *= tile;
        ++level;
      }
      const auto index = static_cast<std::uint32_t>(first / rows);
      total = combine(total,
                      level == 0 ? access_.load_element(index) : access_.load_level(level, index));
      first += rows;
    }
    return total;
  }

  /// The group's rows in scan order.
  std::vector<LoadedRow> load_rows() {
    std::vector<LoadedRow> rows;
    for (std::uint32_t position = 0; position < block_rows_; ++position) {
      const std::uint32_t row = row_at(position);
      if (row < live_rows_) rows.push_back(load_row(row, position));
    }
    return rows;
  }

  LoadedRow load_row(std::uint32_t row, std::uint32_t position) {
    LoadedRow loaded{.row = row, .position = position};
    if (is_of_items_) {
      loaded.item = access_.load_item(items_binding_, "input", row);
      return loaded;
    }
    loaded.value = access_.load_element(row);
    loaded.is_flagged = has_flags_ && (access_.load_flag(row) || starts_all(row));
    // In reverse a flagged row belongs to the segment that it ends: what follows sees neither.
    const bool is_hidden = loaded.is_flagged && access_.is_reverse();
    loaded.item = {.value = is_hidden ? access_.identity() : loaded.value,
                   .starts = loaded.is_flagged ? 1u : 0u};
    return loaded;
  }

  InspectedItem total_of(const std::vector<LoadedRow>& rows) const {
    InspectedItem total{.value = access_.identity()};
    for (const LoadedRow& row : rows)
      total = combine(total, row.item);
    return total;
  }

  void store_result(const LoadedRow& loaded, const InspectedItem& before) {
    if (is_of_items_) {
      access_.store_item(items_binding_, "input", loaded.row, before);
      return;
    }
    if (access_.has("results", "results_segments")) {
      if (loaded.is_flagged && before.starts > 0)
        access_.store_segment(before.starts - 1, before.value);
      return;
    }
    const bool is_start = loaded.is_flagged && !access_.is_reverse();
    const InspectedRow start = is_start ? access_.segment_start() : entering(before);
    access_.store_element(loaded.row, is_inclusive_ ? combine(start, loaded.value) : start);
  }

  void add_offset(std::uint32_t row, const InspectedItem& before, bool is_stale) {
    if (is_of_items_) {
      const InspectedItem item = access_.load_item(items_binding_, "input", row);
      access_.store_item(items_binding_, "input", row, combine(before, item));
      return;
    }
    InspectedRow result = combine(entering(before), access_.load_result(row));
    result.is_stale |= is_stale;
    access_.store_element(row, result);
  }

  InspectedItem block_carry() {
    if (access_.has("carry", "carry_spine")) return access_.load_item(2, "spine", group_);
    if (access_.has("carry", "carry_start")) return {.value = access_.scan_start()};
    return {.value = access_.identity()};
  }

  void store_total(const InspectedItem& total) {
    if (access_.has("total", "total_spine")) access_.store_item(2, "spine", group_, total);
    if (access_.has("total", "total_carry_out")) access_.store_carry_out(entering(total));
    if (access_.has("total", "total_segments")) end_segments(total);
    if (access_.has("total", "total_segments_of_spine") && group_ == 0)
      end_segments(access_.load_total_item());
  }

  void end_segments(const InspectedItem& all) {
    access_.store_number_of_segments(all);
    if (all.starts > 0) access_.store_segment(all.starts - 1, all.value);
  }

  /// What a row has before it, given what the rows before it add up to. What the scan starts from
  /// is in the value of rows without a start; what later segments start from is not.
  InspectedRow entering(const InspectedItem& before) const {
    return before.starts > 0 ? combine(access_.segment_start(), before.value) : before.value;
  }

  InspectedRow combine(const InspectedRow& a, const InspectedRow& b) const {
    return {access_.op().combine(a.words, b.words), a.is_stale || b.is_stale};
  }

  InspectedItem combine(const InspectedItem& a, const InspectedItem& b) const {
    InspectedItem both{.value = combine(a.value, b.value), .starts = a.starts + b.starts};
    if (b.starts > 0) both.value.words = b.value.words;
    return both;
  }

  RowAccess access_;
  std::string name_;
  bool is_inclusive_;
  bool has_flags_;
  bool notes_open_;
  bool is_of_items_;
  std::uint32_t items_binding_;
  std::uint32_t group_ = 0;
  std::uint32_t block_rows_ = 0;
  std::uint32_t first_row_ = 0;
  std::uint32_t live_rows_ = 0;
};

}  // namespace

void run_dispatch(InspectedMemory& memory, const Plan& plan, std::uint32_t index) {
  const PlanDispatch& dispatch = plan.dispatches[index];
  const auto [x, y, z] = dispatch.shape;
  memory.enter(index, 0);
  RowKernel kernel(memory, plan.kernels[dispatch.kernel], dispatch);
  for (std::uint32_t group = x * y * z; group-- > 0 && memory.fault().empty();) {
    memory.enter(index, group);
    kernel.run(group);
  }
}

}  // namespace wgprim::testing
