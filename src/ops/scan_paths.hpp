// The paths of scans of every kind, and the choice between them. Called by the lowerings of scan
// and scan_u64.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/plan_builder.hpp"
#include "ops/row_dispatch.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// What a scan says of the way it goes, and the rows it is planned for.
struct PathChoice {
  Path path = Path::automatic;
  Subgroups subgroups = Subgroups::automatic;
  std::uint64_t rows = 0;
};

/// Lowers the task on the path asked for, or the one that moves less, and notes in the plan's node
/// which and why, whether it uses subgroups (the task need not say), and its capacity. `what` names
/// the scan in messages. Errors: subgroups that the device lacks, and those of the paths.
Result<void> lower_scan(PlanBuilder& builder, std::string_view what, const PathChoice& choice,
                        RowTask task);

}  // namespace wgprim
