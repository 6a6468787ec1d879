// Transient buffers to shared pieces of device memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim {

/// From the first to the last command that names a buffer, both included.
struct Lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t bytes = 0;
  std::uint32_t usage = 0;
};

struct SlotAssignment {
  std::vector<PlanSlot> slots;
  std::vector<std::uint32_t> slot_of;  ///< Parallel to the lifetimes.
};

/// Two lifetimes share a slot only if one ends strictly before the other begins. The tightest of
/// three placements: largest buffers first, each into the smallest slot that is free for its whole
/// life, so that no slot ever grows (greedy by size for shared objects; Pisarchyk and Lee 2020,
/// arXiv:2001.03288); in order of first use into the smallest free slot, grown if it is too small;
/// the same into the best-fitting one. O(n log n); the first is left out where buffers and slots
/// are too many for it. Deterministic: ties go to the earlier index and to the former placement.
SlotAssignment assign_slots(std::span<const Lifetime> lifetimes);

}  // namespace wgprim
