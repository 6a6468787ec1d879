// Lowering of path `reduce-then-scan` and of reductions; see the header. 3n words of traffic plus
// the spine: reduce_tiles reads every row, scan_tiles reads and writes every row.
//
// Fewer rows than planned for: tiles beyond a count on the device have the identity for their
// total; a count per encode shrinks every pass (PlanExtent), or but the rows of the first as
// ops/chained_scan.cpp says.
#include "ops/reduce_then_scan.hpp"

#include <algorithm>
#include <utility>

#include "ops/chained_scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// Rounds of four rows a lane that a tile has. As many as keep the memory of an H200 busy without
/// costing occupancy there (docs/performance.md); a portable round passes through workgroup memory,
/// one at a time.
std::uint32_t rounds_of(const RowTask& task) {
  if (!task.uses_subgroups || task.op.words > 2) return 1;
  return task.op.words == 2 || task.is_segmented() ? 2 : 4;
}

class TileLowering {
 public:
  TileLowering(PlanBuilder& builder, RowTask task, std::uint32_t workgroup_width,
               std::uint32_t rounds)
      : builder_(builder),
        task_(std::move(task)),
        workgroup_width_(workgroup_width),
        rounds_(rounds) {}

  Result<void> scan() {
    auto level = cut(task_.operands, true);
    if (!level) return pass_on(level);
    add_tables(builder_, builder_.profile().limits, level->sections);
    const bool has_spine = level->block_count() > 1;
    if (has_spine) {
      if (auto ok = scan_spine(*level); !ok) return ok;
    }
    for (const Section& section : level->sections) {
      RowDispatch scan(builder_, task_, "scan_tiles", section);
      scan.bind_rows_in_and_out();
      if (has_spine) {
        scan.use_initial();
        scan.bind_spine("carry", "carry_spine");
      } else {
        scan.start();
        scan.finish();
      }
      if (auto ok = add(scan, *level); !ok) return ok;
    }
    return {};
  }

  /// A scan, but for what is stored: each segment's total, where the next one starts.
  Result<void> reduce_segments() {
    auto level = cut(task_.operands, true);
    if (!level) return pass_on(level);
    const auto windows = cut_into_windows(builder_, task_.segments->totals, row_count_of(*level),
                                          level->sections.size());
    if (!windows) return pass_on(windows);
    add_tables(builder_, builder_.profile().limits, level->sections);
    const bool has_spine = level->block_count() > 1;
    if (has_spine) {
      const auto bytes = static_cast<std::uint32_t>(task_.item_bytes());
      task_.total_item = {builder_.add_transient("last", bytes), 0, 1, bytes};
      if (auto ok = scan_spine(*level); !ok) return ok;
    }
    for (const SegmentWindow& window : *windows) {
      for (const Section& section : level->sections) {
        // So many rows start no segment of this window; the last one's total is the first's to
        // store.
        const bool is_behind = section.first_row + section.rows <= window.first_segment;
        if (is_behind && section.first_row > 0) continue;
        RowDispatch scan(builder_, task_, "scan_tiles", section);
        scan.bind_rows_in();
        scan.bind_segments(window);
        if (has_spine) {
          scan.bind_spine("carry", "carry_spine");
        } else {
          scan.start();
        }
        if (section.first_row == 0) scan.finish_segments();
        if (auto ok = add(scan, *level); !ok) return ok;
      }
    }
    return {};
  }

  Result<void> reduce() {
    auto level = cut(task_.operands, true);
    if (!level) return pass_on(level);
    add_tables(builder_, builder_.profile().limits, level->sections);
    for (;;) {
      const bool is_top = level->block_count() == 1;
      std::vector<PlanView> totals;
      if (!is_top)
        totals =
            add_totals(builder_, concat("totals", level->number + 1), task_.item_bytes(), *level);
      for (const Section& section : level->sections) {
        if (auto ok = add_reduce_tiles(*level, section, is_top); !ok) return ok;
      }
      if (is_top) return {};
      auto next = cut({totals}, false);
      if (!next) return pass_on(next);
      next->number = level->number + 1;
      next->rows_per_item = rows_per_block(*level);
      level = std::move(next);
    }
  }

 private:
  static std::uint64_t row_count_of(const Level& level) {
    return level.sections.back().first_row + level.sections.back().rows;
  }

  Result<Level> cut(const Operands& operands, bool is_of_rows) const {
    auto sections = cut_into_sections(builder_, operands,
                                      {.block_rows = 4ull * workgroup_width_ * rounds_,
                                       .item_bytes = task_.item_bytes(),
                                       .prefers_quads = is_of_rows});
    if (!sections) return pass_on(sections);
    return Level{.sections = std::move(*sections)};
  }

  Result<void> scan_spine(Level& level) {
    const std::vector<PlanView> spine = add_totals(builder_, "spine", task_.item_bytes(), level);
    for (const Section& section : level.sections) {
      if (auto ok = add_reduce_tiles(level, section, false); !ok) return ok;
    }
    return lower_item_scan(builder_, task_, spine, rows_per_block(level), "spine_sums");
  }

  Result<void> add_reduce_tiles(const Level& level, const Section& section, bool is_top) {
    RowDispatch reduce(builder_, task_, "reduce_tiles", section);
    if (level.number > 0) {
      reduce.bind_items("rows_totals", 3);
    } else {
      reduce.bind_rows_in();
    }
    if (is_top) {
      reduce.finish();
    } else {
      reduce.bind_spine("total", "total_spine");
      if (task_.needs_all_totals() && !has_whole_blocks(level)) reduce.keep_workgroups();
    }
    return add(reduce, level);
  }

  Result<void> add(RowDispatch& dispatch, const Level& level) const {
    dispatch.set("ROUNDS", rounds_);
    return dispatch.add(level.rows_per_item, workgroup_width_);
  }

  PlanBuilder& builder_;
  RowTask task_;
  std::uint32_t workgroup_width_;
  std::uint32_t rounds_;
};

}  // namespace

Result<void> lower_reduce_then_scan(PlanBuilder& builder, const RowTask& task) {
  if (task.operand(OperandRole::input).empty()) return lower_empty_scan(builder, task);
  const auto width = choose_workgroup_width(builder, task);
  if (!width) return pass_on(width);
  if (auto ok = check_totals_fit(builder, task.item_bytes()); !ok) return ok;
  return TileLowering(builder, task, *width, rounds_of(task)).scan();
}

Result<void> lower_reduction(PlanBuilder& builder, const RowTask& task, Path path) {
  if (task.operand(OperandRole::input).empty()) return lower_empty_scan(builder, task);
  const auto width = choose_workgroup_width(builder, task);
  if (!width) return pass_on(width);
  if (auto ok = check_totals_fit(builder, task.item_bytes()); !ok) return ok;
  const std::uint32_t rounds = path == Path::chained ? 1 : rounds_of(task);
  return TileLowering(builder, task, *width, rounds).reduce();
}

Result<void> lower_reduction_by_flags(PlanBuilder& builder, RowTask task, Path path) {
  std::optional<PlanView>& number = task.segments->number;
  if (task.operand(OperandRole::input).empty()) {
    // The sum of no numbers.
    auto count = row_operator({}, Format::uint32, builder.node().id);
    if (!count) return pass_on(count);
    return lower_empty_scan(
        builder,
        {.op = std::move(*count), .uses_subgroups = task.uses_subgroups, .carry_out = number});
  }
  if (!number) number = PlanView{.buffer = builder.add_transient("number", 4), .rows = 1};
  const auto width = choose_workgroup_width(builder, task);
  if (!width) return pass_on(width);
  if (auto ok = check_totals_fit(builder, task.item_bytes()); !ok) return ok;
  const std::uint32_t rounds = path == Path::chained ? 1 : rounds_of(task);
  return TileLowering(builder, std::move(task), *width, rounds).reduce_segments();
}

}  // namespace wgprim
