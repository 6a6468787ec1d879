// Lowering of reductions by offsets; see the header. n words of traffic for the levels, and again
// as many as rows stand in ranges outside whole tiles. Sections come one after the other: a range
// that reaches over several is taken up where the one before left it.
#include "ops/reduce_ranges.hpp"

#include <algorithm>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// Small tiles: a range ends within two on each level, whose rows one lane takes.
constexpr std::uint32_t kTileLanes = 64;

class RangeLowering {
 public:
  RangeLowering(PlanBuilder& builder, const RowTask& task, const PlanView& offsets,
                std::uint32_t workgroup_width)
      : builder_(builder),
        task_(task),
        offsets_(offsets),
        workgroup_width_(workgroup_width),
        tile_lanes_(std::min(workgroup_width, kTileLanes)) {}

  Result<void> run() {
    auto sections = cut_into_sections(
        builder_, task_.operands,
        {.block_rows = tile_rows(), .item_bytes = task_.item_bytes(), .prefers_quads = true});
    if (!sections) return pass_on(sections);
    add_tables(builder_, builder_.profile().limits, *sections);
    const auto windows = windows_for(sections->size());
    if (!windows) return pass_on(windows);
    for (const Section& section : *sections) {
      const auto levels = add_levels(section);
      if (!levels) return pass_on(levels);
      for (const SegmentWindow& window : *windows) {
        if (auto ok = add_ranges(section, window, *levels); !ok) return ok;
      }
    }
    return {};
  }

  /// No rows: every range is empty.
  Result<void> run_without_rows() {
    const auto bytes = static_cast<std::uint32_t>(task_.item_bytes());
    const PlanView nothing{builder_.add_transient("nothing", bytes), 0, 1, bytes};
    Section section{.rows = 1, .block_rows = 1, .runs = {{}}};
    section.ranges[0] = {nothing.buffer, 0, bytes};
    const auto windows = windows_for(1);
    if (!windows) return pass_on(windows);
    for (const SegmentWindow& window : *windows) {
      if (auto ok = add_ranges(section, window, {nothing}); !ok) return ok;
    }
    return {};
  }

 private:
  std::uint32_t tile_rows() const { return 4 * tile_lanes_; }

  Result<std::vector<SegmentWindow>> windows_for(std::uint64_t sections) const {
    return cut_into_windows(builder_, task_.segments->totals, offsets_.rows - 1, sections);
  }

  /// Totals of the section's tiles, and of tiles of these, as far as a range may hold one whole.
  Result<std::vector<PlanView>> add_levels(const Section& section) {
    std::vector<PlanView> levels;
    Level level{.sections = {section}};
    level.sections[0].first_block = 0;
    do {
      if (!levels.empty()) level = level_of_totals(level, levels.back());
      const std::string name = concat("totals", levels.size() + 1);
      levels.push_back(add_totals(builder_, name, task_.item_bytes(), level).front());
      RowDispatch reduce(builder_, task_, "reduce_tiles", level.sections[0]);
      if (levels.size() == 1) {
        reduce.bind_rows_in();
      } else {
        reduce.bind_items("rows_totals", 3);
      }
      reduce.bind_spine("total", "total_spine");
      if (auto ok = reduce.add(level.rows_per_item, tile_lanes_); !ok) return pass_on(ok);
    } while (levels.size() < kMostLevels && levels.back().rows > tile_rows());
    return levels;
  }

  /// Where a smaller count leaves the level below part of a tile this one may take in another, too
  /// many: no range holds it whole.
  Level level_of_totals(const Level& below, const PlanView& totals) const {
    Section section{.first_row = below.sections[0].first_row / tile_rows(),
                    .rows = totals.rows,
                    .block_rows = tile_rows()};
    section.ranges[0] = {totals.buffer, 0, totals.rows * totals.row_bytes};
    return {.sections = {section}, .rows_per_item = below.rows_per_item * tile_rows()};
  }

  Result<void> add_ranges(const Section& section, const SegmentWindow& window,
                          const std::vector<PlanView>& levels) {
    PlanView offsets = offsets_;
    offsets.byte_offset += window.first_segment * 4;
    offsets.rows = window.totals.rows + 1;
    RowDispatch ranges(builder_, task_, "reduce_ranges", section);
    ranges.bind_rows_in();
    ranges.bind_ranges(window, offsets, levels);
    ranges.set("TILE_ROWS", tile_rows());
    if (task_.operand(OperandRole::input).empty()) ranges.take_no_rows();
    return ranges.add_by_segments(workgroup_width_);
  }

  PlanBuilder& builder_;
  const RowTask& task_;
  const PlanView& offsets_;
  std::uint32_t workgroup_width_;
  std::uint32_t tile_lanes_;
};

}  // namespace

Result<void> lower_reduction_by_offsets(PlanBuilder& builder, const RowTask& task,
                                        const PlanView& offsets) {
  if (offsets.rows == 1) return {};
  const auto width = choose_workgroup_width(builder, task);
  if (!width) return pass_on(width);
  if (auto ok = check_totals_fit(builder, task.item_bytes()); !ok) return ok;
  RangeLowering lowering(builder, task, offsets, *width);
  return task.operand(OperandRole::input).empty() ? lowering.run_without_rows() : lowering.run();
}

}  // namespace wgprim
