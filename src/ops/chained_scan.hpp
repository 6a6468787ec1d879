// Path `chained`: scan blocks, scan their totals with the same kernel, add back.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/plan_builder.hpp"
#include "ops/row_dispatch.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Adds L block passes and L - 1 add-back passes for the levels n, ceil(n / 256), ... down to one
/// block; a dispatch each, and one more for each further binding or buffer that a level needs.
/// The rows are the node's capacity: each dispatch says how it follows a smaller count per encode,
/// and those over the rows themselves heed the task's row count.
Result<void> lower_chained_scan(PlanBuilder& builder, const RowTask& task);

/// The same for items, each the total of up to `rows_per_item` rows of the task: replaces each by
/// what enters those rows, the task's start included, and stores the task's carry_out. Scratch is
/// named after `scratch`.
Result<void> lower_item_scan(PlanBuilder& builder, const RowTask& task,
                             const std::vector<PlanView>& items, std::uint64_t rows_per_item,
                             std::string_view scratch);

/// A scan of no rows at all that has a carry_out: it receives what the scan starts from.
Result<void> lower_empty_scan(PlanBuilder& builder, const RowTask& task);

}  // namespace wgprim
