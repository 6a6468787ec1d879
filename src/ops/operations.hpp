// From a validated operation to its commands: one overload each, in the file of the operation.
// Called by Graph::compile, node by node, in the order of execution.
#pragma once

#include "graph/plan_builder.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Errors: subgroups or a path that the device lacks; a dispatch or binding beyond its limits.
Result<void> lower(const Scan& scan, PlanBuilder& builder);
Result<void> lower(const ScanU64& scan, PlanBuilder& builder);
Result<void> lower(const Reduce& reduce, PlanBuilder& builder);
Result<void> lower(const Compute& compute, PlanBuilder& builder);
Result<void> lower(const Copy& copy, PlanBuilder& builder);
Result<void> lower(const Clear& clear, PlanBuilder& builder);
Result<void> lower(const External& external, PlanBuilder& builder);

/// What plans call the operation: "scan".
constexpr const char* name_of(const Scan&) { return "scan"; }
constexpr const char* name_of(const ScanU64&) { return "scan_u64"; }
constexpr const char* name_of(const Reduce&) { return "reduce"; }
constexpr const char* name_of(const Compute&) { return "compute"; }
constexpr const char* name_of(const Copy&) { return "copy"; }
constexpr const char* name_of(const Clear&) { return "clear"; }
constexpr const char* name_of(const External&) { return "external"; }

}  // namespace wgprim
