// The buffers of a plan counted: the caller's, and scratch with and without sharing.
#include <algorithm>

#include "wgprim/report.hpp"

namespace wgprim {
namespace {

void count(BufferTotals& totals, std::uint64_t bytes) {
  ++totals.count;
  totals.bytes += bytes;
}

}  // namespace

PlanStats stats_of(const Plan& plan) {
  PlanStats stats;
  stats.order.reserve(plan.nodes.size());
  for (const PlanNode& node : plan.nodes)
    stats.order.push_back(node.id);
  for (const PlanSlot& slot : plan.slots)
    count(stats.physical, slot.bytes);
  const std::uint64_t slot_bytes = stats.physical.bytes;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::imported) count(stats.imported, buffer.bytes);
    const bool is_kept = buffer.role == BufferRole::state || buffer.role == BufferRole::constant;
    if (is_kept) count(stats.physical, buffer.bytes);
    if (buffer.slot) count(stats.logical, buffer.bytes);
  }
  stats.saved_bytes = stats.logical.bytes - std::min(stats.logical.bytes, slot_bytes);
  return stats;
}

}  // namespace wgprim
