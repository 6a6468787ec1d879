// Two ways to share slots, of which the tighter one is taken; see the header. Neither beats the
// other always. Called once a plan by PlanBuilder::finish.
#include "graph/slots.hpp"

#include <algorithm>
#include <numeric>

namespace wgprim {
namespace {

bool overlaps(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// An assignment in the making.
class Placement {
 public:
  explicit Placement(std::span<const Lifetime> lifetimes) : lifetimes_(lifetimes) {
    assignment_.slot_of.resize(lifetimes.size());
  }

  /// The smallest slot that is free for the whole life of a buffer, the lowest of equals; a new one
  /// where none is.
  void put_into_smallest_free_slot(std::uint32_t buffer) {
    std::size_t best = tenants_.size();
    for (std::size_t slot = 0; slot < tenants_.size(); ++slot) {
      if (!is_free(slot, lifetimes_[buffer])) continue;
      if (best == tenants_.size() || bytes_of(slot) < bytes_of(best)) best = slot;
    }
    if (best == tenants_.size()) {
      tenants_.emplace_back();
      assignment_.slots.emplace_back();
    }
    PlanSlot& slot = assignment_.slots[best];
    slot.bytes = std::max(slot.bytes, lifetimes_[buffer].bytes);
    slot.usage |= lifetimes_[buffer].usage;
    tenants_[best].push_back(buffer);
    assignment_.slot_of[buffer] = static_cast<std::uint32_t>(best);
  }

  std::uint64_t bytes() const {
    return std::transform_reduce(assignment_.slots.begin(), assignment_.slots.end(),
                                 std::uint64_t{0}, std::plus<>(),
                                 [](const PlanSlot& slot) { return slot.bytes; });
  }

  SlotAssignment finish() { return std::move(assignment_); }

 private:
  std::uint64_t bytes_of(std::size_t slot) const { return assignment_.slots[slot].bytes; }

  bool is_free(std::size_t slot, const Lifetime& lifetime) const {
    return std::ranges::none_of(
        tenants_[slot], [&](auto tenant) { return overlaps(lifetimes_[tenant], lifetime); });
  }

  std::span<const Lifetime> lifetimes_;
  std::vector<std::vector<std::uint32_t>> tenants_;  // Buffers of each slot.
  SlotAssignment assignment_;
};

template <class Before>
Placement place_in_order(std::span<const Lifetime> lifetimes, Before before) {
  std::vector<std::uint32_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order,
                           [&](auto a, auto b) { return before(lifetimes[a], lifetimes[b]); });
  Placement placement(lifetimes);
  for (const std::uint32_t buffer : order)
    placement.put_into_smallest_free_slot(buffer);
  return placement;
}

}  // namespace

SlotAssignment assign_slots(std::span<const Lifetime> lifetimes) {
  Placement by_size =
      place_in_order(lifetimes, [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  Placement by_time =
      place_in_order(lifetimes, [](const auto& a, const auto& b) { return a.first < b.first; });
  return by_time.bytes() < by_size.bytes() ? by_time.finish() : by_size.finish();
}

}  // namespace wgprim
