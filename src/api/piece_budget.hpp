// How many rows of an array fit on a device at once within a bound on memory. Called by pieces.cpp.
#pragma once

#include <cstdint>
#include <functional>

#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim::api {

/// The plan of a piece of so many rows.
using PlanOfPiece = std::function<Result<Plan>(std::uint64_t rows)>;

struct PieceBudget {
  std::uint64_t rows = 0;          ///< Of each piece but one, which has what is left over.
  std::uint64_t slice_bytes = 0;   ///< Moved at once between host and device.
  std::uint64_t device_bytes = 0;  ///< Of all buffers at the busiest moment.
};

/// The largest pieces that `memory_bytes` allow for; all rows at once where that fits.
/// Errors: limit_exceeded for less than a row takes, with the least that does; those of planning.
Result<PieceBudget> choose_pieces(const PlanOfPiece& plan_of, std::uint64_t rows,
                                  std::uint64_t row_bytes, std::uint64_t memory_bytes);

}  // namespace wgprim::api
