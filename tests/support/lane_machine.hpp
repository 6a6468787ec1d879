// Runs functions of a kernel's very text, lane by lane, in an order that is as unkind as WGSL
// allows: between two barriers each subgroup goes as far as it can before the next one starts.
// CPU drivers run subgroups in ascending order only and so hide two of the ladder's three barriers.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/case.hpp"

namespace wgprim::testing {

enum class LaneOrder { ascending, descending };

/// What combine_items and identity_item are, on items of one word.
struct LaneOperator {
  std::uint32_t identity = 0;
  std::function<std::uint32_t(std::uint32_t, std::uint32_t)> combine;
};

/// u32 sums.
LaneOperator lane_sum();
/// Maps x -> a*x + b modulo 2^16, a in the upper half of the word: does not commute.
LaneOperator lane_affine();

struct BlockRun {
  Words before;   ///< Of each lane: the lanes before it,
  Words through;  ///< and with its own value (or all of them, where a function gives that).
  std::vector<Words> at_barriers;       ///< The first workgroup array as each barrier found it.
  std::map<std::string, Words> memory;  ///< Workgroup arrays at the end.
  std::string fault;                    ///< Lanes that wait at different places; else empty.
};

struct BlockSetting {
  std::string function = "block_scan";  ///< Of a lane's number and its value.
  std::uint32_t subgroup_size = 1;      ///< Subgroups of one lane are lanes on their own.
  LaneOrder order = LaneOrder::ascending;
  LaneOperator op = lane_sum();
  std::map<std::string, Words> memory;  ///< Arrays that hold something; others start poisoned.
};

/// Runs the function over these values, one a lane, as many lanes as values.
BlockRun run_lanes(std::string_view wgsl, const Words& values, BlockSetting setting);

}  // namespace wgprim::testing
