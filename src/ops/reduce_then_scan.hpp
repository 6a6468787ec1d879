// Path `reduce-then-scan`: total tiles up, scan the totals, scan each tile from what enters it.
#pragma once

#include "graph/plan_builder.hpp"
#include "ops/row_dispatch.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Adds a pass of reduce_tiles, the passes of path `chained` over the totals, and a pass of
/// scan_tiles (Dotsenko et al. 2008); where one tile holds all rows the last alone. Row counts as
/// of lower_chained_scan.
Result<void> lower_reduce_then_scan(PlanBuilder& builder, const RowTask& task);

/// Adds passes of reduce_tiles over the rows, then over the totals, until one is left, which goes
/// to the task's carry_out. Tiles are one round long where `path` is chained.
Result<void> lower_reduction(PlanBuilder& builder, const RowTask& task, Path path);

/// Adds the passes of a segmented scan that stores what each segment adds up to, and how many there
/// are (`task.segments`; the number may be nobody's). Tiles as of lower_reduction.
Result<void> lower_reduction_by_flags(PlanBuilder& builder, RowTask task, Path path);

}  // namespace wgprim
