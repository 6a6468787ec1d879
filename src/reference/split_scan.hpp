// The scalar oracle of prefix sums modulo 2^64 whose low and high words lie in arrays of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim::reference {

struct SplitWords {
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;
  std::uint64_t carry_out = 0;  ///< What a scan of the rows behind these continues with.
};

/// Row i stands for high[i] * 2^32 + low[i], in input and output; `carry_in` is what stands before
/// row 0. How the arrays are cut into chunks plays no part: scan one piece after the other with the
/// carry of the piece before.
/// Errors: invalid_argument for low and high words that differ in number.
Result<SplitWords> split_scan(std::span<const std::uint32_t> low,
                              std::span<const std::uint32_t> high, ScanMode mode,
                              std::uint64_t carry_in = 0);

}  // namespace wgprim::reference
