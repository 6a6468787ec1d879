// Lowering of path `chained`; see the header. 4n words of traffic plus the levels above:
// scan_blocks reads and writes every row, add_block_offsets reads and writes every row again.
//
// Fewer rows than planned for: a count per encode shrinks every level (PlanExtent). A count on the
// device is read where the rows themselves are; blocks beyond it publish the identity, and the
// levels above run whole. Where blocks are cut short a level may take in more totals than there are
// live blocks: they reach nothing, but in reverse, or where a total is asked for; then all blocks
// publish one for a count per encode, too.
#include "ops/chained_scan.hpp"

#include <utility>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

class ChainedLowering {
 public:
  ChainedLowering(PlanBuilder& builder, const RowTask& task, std::uint32_t workgroup_width)
      : builder_(builder), task_(task), workgroup_width_(workgroup_width) {}

  /// From the rows of the task, or where there are `items` from these.
  Result<void> run(std::vector<PlanView> items, std::uint64_t rows_per_item,
                   std::string_view scratch) {
    std::vector<Level> levels;
    do {
      const bool has_items = !items.empty();
      auto sections =
          cut_into_sections(builder_, has_items ? Operands{items} : task_.operands,
                            {.block_rows = kLevelBlock, .item_bytes = task_.item_bytes()});
      if (!sections) return pass_on(sections);
      levels.push_back(
          {.number = levels.size() + (has_items && levels.empty() ? 1 : 0),
           .sections = std::move(*sections),
           .rows_per_item = levels.empty() ? rows_per_item : rows_per_block(levels.back())});
      Level& level = levels.back();
      is_top_ = level.block_count() == 1;
      if (!has_items) add_tables(builder_, builder_.profile().limits, level.sections);
      if (!is_top_)
        items = add_totals(builder_, concat(scratch, levels.size()), task_.item_bytes(), level);
      if (!is_top_ && !has_items && task_.is_segmented()) add_open(level);
      for (const Section& section : level.sections) {
        if (auto ok = add_scan_blocks(level, section, has_items); !ok) return ok;
      }
    } while (!is_top_);
    for (levels.pop_back(); !levels.empty(); levels.pop_back()) {
      for (const Section& section : levels.back().sections) {
        if (auto ok = add_add_block_offsets(levels.back(), section); !ok) return ok;
      }
    }
    return {};
  }

 private:
  /// Room for how many rows of each block are open, laid out as the totals are.
  void add_open(const Level& level) {
    const std::uint64_t most = items_per_buffer(task_.item_bytes(), builder_.profile().limits);
    for (std::uint64_t first = 0; first < level.block_count(); first += most) {
      const std::uint64_t blocks = std::min(most, level.block_count() - first);
      open_.push_back({builder_.add_transient("open", blocks * 4), 0, blocks});
    }
    blocks_per_open_ = most;
  }

  PlanView open_of(const Section& section) const {
    PlanView open = open_[section.first_block / blocks_per_open_];
    open.byte_offset = section.first_block % blocks_per_open_ * 4;
    open.rows = section.block_count();
    return open;
  }

  Result<void> add_scan_blocks(const Level& level, const Section& section, bool has_items) {
    RowDispatch scan(builder_, task_, "scan_blocks", section);
    if (has_items) {
      scan.bind_items("rows_items", 1);
    } else {
      scan.bind_rows_in_and_out();
    }
    if (is_top_) {
      scan.start();
      scan.finish();
    } else {
      scan.use_initial();
      scan.bind_spine("total", "total_spine");
      if (task_.needs_all_totals() && !has_whole_blocks(level)) scan.keep_workgroups();
      if (!has_items && task_.is_segmented()) {
        scan.bind_open(open_of(section), true);
      }
    }
    return add(scan, level);
  }

  Result<void> add_add_block_offsets(const Level& level, const Section& section) {
    RowDispatch offsets(builder_, task_, "add_block_offsets", section);
    if (level.number > 0) {
      offsets.bind_items("offset_items", 1);
    } else {
      offsets.bind_rows_out();
      if (task_.is_segmented()) offsets.bind_open(open_of(section), false);
    }
    offsets.use_initial();
    offsets.bind_spine("carry", "carry_spine");
    return add(offsets, level);
  }

  Result<void> add(RowDispatch& dispatch, const Level& level) const {
    dispatch.set("ROWS_PER_LANE", static_cast<std::uint32_t>(kLevelBlock / workgroup_width_));
    return dispatch.add(level.rows_per_item, workgroup_width_);
  }

  PlanBuilder& builder_;
  const RowTask& task_;
  std::uint32_t workgroup_width_;
  bool is_top_ = false;
  std::vector<PlanView> open_;
  std::uint64_t blocks_per_open_ = 1;
};

Result<void> lower(PlanBuilder& builder, const RowTask& task, const std::vector<PlanView>& items,
                   std::uint64_t rows_per_item, std::string_view scratch) {
  const auto width = choose_workgroup_width(builder, task);
  if (!width) return pass_on(width);
  if (auto ok = check_totals_fit(builder, task.item_bytes()); !ok) return ok;
  return ChainedLowering(builder, task, *width).run(items, rows_per_item, scratch);
}

}  // namespace

Result<void> lower_chained_scan(PlanBuilder& builder, const RowTask& task) {
  if (task.operand(OperandRole::input).empty()) return lower_empty_scan(builder, task);
  return lower(builder, task, {}, 1, "sums");
}

Result<void> lower_item_scan(PlanBuilder& builder, const RowTask& task,
                             const std::vector<PlanView>& items, std::uint64_t rows_per_item,
                             std::string_view scratch) {
  return lower(builder, task, items, rows_per_item, scratch);
}

Result<void> lower_empty_scan(PlanBuilder& builder, const RowTask& task) {
  if (!task.carry_out) return {};
  const auto width = choose_workgroup_width(builder, task);
  if (!width) return pass_on(width);
  // One workgroup that finds no item in one that nobody wrote.
  const std::uint32_t item = builder.add_transient("nothing", task.item_bytes());
  Section section{.block_rows = kLevelBlock};
  section.ranges[0] = {item, 0, task.item_bytes()};
  section.rows = 1;
  RowDispatch scan(builder, task, "scan_blocks", section);
  scan.bind_items("rows_items", 1);
  scan.take_no_rows();
  scan.start();
  scan.finish();
  scan.set("ROWS_PER_LANE", static_cast<std::uint32_t>(kLevelBlock / *width));
  return scan.add(1, *width);
}

}  // namespace wgprim
