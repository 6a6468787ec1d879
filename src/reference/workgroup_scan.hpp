// The scalar oracle of the workgroup-scan benchmark: what the last lane of every workgroup ends
// with.
#pragma once

#include <cstdint>

#include "reference/scan.hpp"
#include "wgprim/ops.hpp"

namespace wgprim::reference {

/// Lane i of `width` starts with i + 1; in each round, from 0 on, a lane's value becomes the prefix
/// sum of (value XOR (round + lane)) modulo 2^32. The last lane's last value.
inline std::uint32_t workgroup_scan_checksum(std::uint32_t width, std::uint32_t rounds,
                                             ScanMode mode) {
  std::vector<std::uint32_t> values(width);
  for (std::uint32_t lane = 0; lane < width; ++lane)
    values[lane] = lane + 1;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t lane = 0; lane < width; ++lane)
      values[lane] ^= round + lane;
    values = mode == ScanMode::inclusive ? inclusive_scan(values) : exclusive_scan(values);
  }
  return values.back();
}

}  // namespace wgprim::reference
