// Path `chained`: scan blocks, scan their sums with the same kernel, add back.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/plan_builder.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Rows that one workgroup scans.
inline constexpr std::uint64_t kScanBlock = 256;

/// Chunks without empty ones; input and output are independent chunkings of the same rows (the
/// output may go on beyond them), equal where the scan is in place.
struct ChainedScan {
  std::vector<PlanView> input;
  std::vector<PlanView> output;
  ScanMode mode = ScanMode::exclusive;
  bool uses_subgroups = false;
  /// One word that lowers the rows on the device, in a buffer that the scan does not write.
  std::optional<PlanView> row_count;
};

/// Adds L block passes and L - 1 add-back passes for the levels n, ceil(n / 256), ... down to one
/// block; a dispatch each, and one more for each further binding or buffer that a level needs.
/// The rows are the node's capacity: each dispatch says how it follows a smaller count per encode,
/// and those over the rows themselves heed `row_count`.
Result<void> lower_chained_scan(PlanBuilder& builder, const ChainedScan& scan);

}  // namespace wgprim
