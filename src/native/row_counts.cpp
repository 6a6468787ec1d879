// The arithmetic of PlanExtent; the plan check has seen to it that nothing overflows.
#include "native/row_counts.hpp"

#include <algorithm>

#include "wgprim/detail/plan_rules.hpp"

namespace wgprim::native {

ExtentWork work_of(const PlanExtent& extent, const Shape& planned, std::uint64_t rows) {
  const std::uint64_t all = ceil_divide(rows, extent.rows_per_item);
  const std::uint64_t left = all - std::min(all, extent.first_item);
  const std::uint64_t items = std::min(left, extent.items);
  if (extent.keeps_workgroups) {
    const std::uint64_t groups = ceil_divide(extent.items, extent.items_per_workgroup);
    return {static_cast<std::uint32_t>(items), static_cast<std::uint32_t>(groups), planned};
  }
  if (items == 0) return {};
  const std::uint64_t groups = ceil_divide(items, extent.items_per_workgroup);
  const std::uint64_t x = std::min<std::uint64_t>(groups, planned[0]);
  const std::uint64_t y = std::min<std::uint64_t>(ceil_divide(groups, x), planned[1]);
  const std::uint64_t z = ceil_divide(ceil_divide(groups, x), y);
  return {static_cast<std::uint32_t>(items),
          static_cast<std::uint32_t>(groups),
          {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
           static_cast<std::uint32_t>(z)}};
}

}  // namespace wgprim::native
