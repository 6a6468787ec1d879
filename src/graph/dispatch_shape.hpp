// How many workgroups in x, y and z cover a number of rows when no dimension may exceed a limit.
#pragma once

#include <cstdint>

#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// The bounded shape for `elements` at `elements_per_group`: as wide as the limit allows, then as
/// tall, then deep. At least one group. x * y * z may exceed the groups needed; the rest is
/// padding. Errors: limit_exceeded if even limit^3 groups do not suffice.
Result<Shape> dispatch_shape(std::uint64_t elements, std::uint64_t elements_per_group,
                             std::uint64_t limit);

/// The same with the least padding: as many planes and lines as the bounded shape has, all equally
/// full. (65,536 groups at a limit of 65,535 are (32768, 2, 1), not (65535, 2, 1).)
Result<Shape> even_dispatch_shape(std::uint64_t elements, std::uint64_t elements_per_group,
                                  std::uint64_t limit);

/// Product of the three counts.
std::uint64_t workgroup_count(const Shape& shape);

}  // namespace wgprim
