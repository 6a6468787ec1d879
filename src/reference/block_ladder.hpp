// The ladder by which a workgroup scans its block (Hillis and Steele 1986), replayed on the host
// round by round. Deliberately written like the kernel, so that the two can be read side by side;
// tests and documentation use it to show what each barrier is for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wgprim::reference {

/// The array after each of the ceil(log2(n)) rounds, one lane a value, sums modulo 2^32. The last
/// entry is the inclusive scan. No rounds, hence no entries, for fewer than two values.
std::vector<std::vector<std::uint32_t>> trace_block_ladder(std::span<const std::uint32_t> values);

}  // namespace wgprim::reference
