// Reductions of ranges of rows given by offsets.
#pragma once

#include "graph/plan_builder.hpp"
#include "ops/row_dispatch.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Adds passes of reduce_tiles that make levels of totals of tiles, and one of reduce_ranges that
/// puts the total of each range together from them. `offsets` are k + 1 words, k at most the rows
/// of `task.segments->totals`. Row counts as of lower_chained_scan.
Result<void> lower_reduction_by_offsets(PlanBuilder& builder, const RowTask& task,
                                        const PlanView& offsets);

}  // namespace wgprim
