// Ways to share slots, of which the tightest is taken; see the header. None beats the others
// always. Called once a plan by PlanBuilder::finish.
#include "graph/slots.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>

namespace wgprim {
namespace {

/// Placing by size looks at every slot for every buffer. Graphs with so many of both that this
/// takes more than this many looks are placed in order of time alone.
constexpr std::uint64_t kMostLooks = std::uint64_t{1} << 22;

/// An assignment in the making.
class Placement {
 public:
  explicit Placement(std::span<const Lifetime> lifetimes) : lifetimes_(lifetimes) {
    assignment_.slot_of.resize(lifetimes.size());
  }

  std::uint32_t add_slot() {
    assignment_.slots.emplace_back();
    return static_cast<std::uint32_t>(assignment_.slots.size() - 1);
  }

  void put(std::uint32_t buffer, std::uint32_t index) {
    PlanSlot& slot = assignment_.slots[index];
    slot.bytes = std::max(slot.bytes, lifetimes_[buffer].bytes);
    slot.usage |= lifetimes_[buffer].usage;
    assignment_.slot_of[buffer] = index;
  }

  const Lifetime& lifetime(std::uint32_t buffer) const { return lifetimes_[buffer]; }
  std::uint64_t bytes_of(std::uint32_t slot) const { return assignment_.slots[slot].bytes; }

  std::uint64_t bytes() const {
    return std::transform_reduce(assignment_.slots.begin(), assignment_.slots.end(),
                                 std::uint64_t{0}, std::plus<>(),
                                 [](const PlanSlot& slot) { return slot.bytes; });
  }

  SlotAssignment finish() { return std::move(assignment_); }

 private:
  std::span<const Lifetime> lifetimes_;
  SlotAssignment assignment_;
};

template <class Before>
std::vector<std::uint32_t> sorted(std::span<const Lifetime> lifetimes, Before before) {
  std::vector<std::uint32_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order,
                           [&](auto a, auto b) { return before(lifetimes[a], lifetimes[b]); });
  return order;
}

using FreeSlots = std::set<std::pair<std::uint64_t, std::uint32_t>>;  // Bytes and slot.

/// The smallest free slot, grown if it is too small.
FreeSlots::iterator smallest(const FreeSlots& free, std::uint64_t) { return free.begin(); }

/// The smallest free slot that is large enough, else the largest one, grown.
FreeSlots::iterator best_fit(const FreeSlots& free, std::uint64_t bytes) {
  const auto fitting = free.lower_bound({bytes, 0});
  return fitting == free.end() ? std::prev(fitting) : fitting;
}

/// In order of first use: a slot is free again behind the last use of its buffer.
template <class Choose>
Placement place_by_time(std::span<const Lifetime> lifetimes, Choose choose) {
  Placement placement(lifetimes);
  FreeSlots free;
  using End = std::pair<std::uint32_t, std::uint32_t>;  // Last use and slot.
  std::priority_queue<End, std::vector<End>, std::greater<>> taken;
  for (const std::uint32_t buffer :
       sorted(lifetimes, [](const auto& a, const auto& b) { return a.first < b.first; })) {
    const Lifetime& lifetime = placement.lifetime(buffer);
    for (; !taken.empty() && taken.top().first < lifetime.first; taken.pop()) {
      const std::uint32_t slot = taken.top().second;
      free.emplace(placement.bytes_of(slot), slot);
    }
    std::uint32_t slot = 0;
    if (free.empty()) {
      slot = placement.add_slot();
    } else {
      const auto chosen = choose(free, lifetime.bytes);
      slot = chosen->second;
      free.erase(chosen);
    }
    placement.put(buffer, slot);
    taken.emplace(lifetime.last, slot);
  }
  return placement;
}

/// Lifetimes of the buffers of one slot: first use to last use.
using Tenants = std::map<std::uint32_t, std::uint32_t>;

bool is_free(const Tenants& tenants, const Lifetime& lifetime) {
  const auto later = tenants.upper_bound(lifetime.last);
  return later == tenants.begin() || std::prev(later)->second < lifetime.first;
}

/// Largest first, each into the smallest slot that is free for its whole life: no slot ever grows.
/// Nothing where that takes too many looks.
std::optional<Placement> place_by_size(std::span<const Lifetime> lifetimes) {
  Placement placement(lifetimes);
  std::vector<Tenants> slots;
  std::uint64_t looks = 0;
  for (const std::uint32_t buffer :
       sorted(lifetimes, [](const auto& a, const auto& b) { return a.bytes > b.bytes; })) {
    const Lifetime& lifetime = placement.lifetime(buffer);
    looks += slots.size();
    if (looks > kMostLooks) return std::nullopt;
    auto best = static_cast<std::uint32_t>(slots.size());
    for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
      if (!is_free(slots[slot], lifetime)) continue;
      if (best == slots.size() || placement.bytes_of(slot) < placement.bytes_of(best)) best = slot;
    }
    if (best == slots.size()) {
      slots.emplace_back();
      placement.add_slot();
    }
    placement.put(buffer, best);
    slots[best].emplace(lifetime.first, lifetime.last);
  }
  return placement;
}

}  // namespace

SlotAssignment assign_slots(std::span<const Lifetime> lifetimes) {
  std::optional<Placement> best = place_by_size(lifetimes);
  for (const auto choose : {smallest, best_fit}) {
    Placement placement = place_by_time(lifetimes, choose);
    if (!best || placement.bytes() < best->bytes()) best = std::move(placement);
  }
  return best->finish();
}

}  // namespace wgprim
