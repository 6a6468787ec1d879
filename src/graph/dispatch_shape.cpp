// Bounded 3-D dispatch shapes; see the header. Used by every operation.
#include "graph/dispatch_shape.hpp"

#include <algorithm>

#include "wgprim/detail/plan_rules.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
Result<Shape> dispatch_shape(std::uint64_t elements, std::uint64_t elements_per_group,
                             std::uint64_t limit) {
  const std::uint64_t groups =
      std::max<std::uint64_t>(1, ceil_divide(elements, elements_per_group));
  const std::uint64_t x = std::min(groups, limit);
  const std::uint64_t y = std::min(ceil_divide(groups, x), limit);
  const std::uint64_t z = ceil_divide(ceil_divide(groups, x), y);
  if (z > limit) {
    return fail(ErrorCode::limit_exceeded,
                concat("A dispatch over ", elements, " rows takes ", groups, " workgroups of ",
                       elements_per_group, " rows, more than three dimensions of ", limit,
                       " hold (maxComputeWorkgroupsPerDimension)."));
  }
  return Shape{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
               static_cast<std::uint32_t>(z)};
}

Result<Shape> even_dispatch_shape(std::uint64_t elements, std::uint64_t elements_per_group,
                                  std::uint64_t limit) {
  auto shape = dispatch_shape(elements, elements_per_group, limit);
  if (!shape) return shape;
  const std::uint64_t groups =
      std::max<std::uint64_t>(1, ceil_divide(elements, elements_per_group));
  auto& [x, y, z] = *shape;
  y = static_cast<std::uint32_t>(ceil_divide(groups, limit * z));
  x = static_cast<std::uint32_t>(ceil_divide(groups, std::uint64_t{y} * z));
  return shape;
}

std::uint64_t workgroup_count(const Shape& shape) {
  return std::uint64_t{shape[0]} * shape[1] * shape[2];
}

}  // namespace wgprim
