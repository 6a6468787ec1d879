// Five hand-made plans with trivial kernels that between them use everything an executor must know.
// They lie as JSON in tests/golden/executor, for every executor to run; the golden ring holds the
// files against these values. What each computes stands beside it, for the rings that run them.
#pragma once

#include <string>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Imported buffers start at this byte; the words before are canaries.
inline constexpr std::uint64_t kGoldenOffset = 256;

/// Exclusive scan over "in0" (512 rows) and "in1" (300 rows) into "out0" and "out1": blocks, sums
/// of blocks in a transient, add-back; five dispatches of three kernels.
Plan chained_plan();

/// "out"[i] = 1000 * (number of this encode) + i for 64 rows; the number is kept in a state buffer.
Plan surviving_state_plan();

/// "out" = the rows of "in" whose "flags" row is nonzero, "count" = how many; then each of these
/// rows is negated by a dispatch whose workgroup counts the first kernel wrote. 300 rows.
Plan compaction_plan();

/// "out" = ("in" + 1), doubled where the parameter "double" is true; where "mirror" is true a copy
/// goes to "mirror" too. Scratch is cleared first. 128 rows.
Plan conditioned_plan();

/// 1,000 dispatches over 1,000 ranges of 64 rows: "out"[i] = "in"[i] + number of its range.
Plan thousand_chunks_plan();

struct GoldenPlan {
  std::string name;  ///< Of its file, without ".json".
  Plan plan;
};
std::vector<GoldenPlan> golden_plans();

}  // namespace wgprim::testing
