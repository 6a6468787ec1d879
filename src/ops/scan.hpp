// From a validated scan to its passes.
#pragma once

#include "graph/plan_builder.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Errors: subgroups that the device lacks; a dispatch or binding beyond its limits.
Result<void> lower(const Scan& scan, PlanBuilder& builder);

}  // namespace wgprim
