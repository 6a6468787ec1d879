// Adding up work. Sums end at the most that 64 bits hold: 65,535 workgroups in each of three
// dimensions leave room for some thousand nodes, not for more.
#pragma once

#include <cstdint>
#include <limits>

#include "wgprim/report.hpp"

namespace wgprim {

inline std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return b > kMost - a ? kMost : a + b;
}

inline std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a != 0 && b > kMost / a ? kMost : a * b;
}

void add_to(Workload& sum, const Workload& part);

/// Adds commands and workload; texts stay.
void add_to(NodeWork& sum, const NodeWork& part);

}  // namespace wgprim
