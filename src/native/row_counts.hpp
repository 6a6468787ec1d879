// How a dispatch follows a row count below its node's capacity (PlanExtent). Pure.
#pragma once

#include <cstdint>

#include "wgprim/plan.hpp"

namespace wgprim::native {

/// A dispatch with an extent, for one row count.
struct ExtentWork {
  std::uint32_t items = 0;
  std::uint32_t workgroups = 0;  ///< 0: the dispatch is left out.
  Shape shape = {0, 0, 0};       ///< Within the plan's own shape.
};

ExtentWork work_of(const PlanExtent& extent, const Shape& planned, std::uint64_t rows);

}  // namespace wgprim::native
