// Slow and plain rules of graphs; see the header.
#include "support/graph_oracle.hpp"

#include <algorithm>

namespace wgprim::testing {
namespace {

bool has(const std::vector<std::uint32_t>& list, std::uint32_t value) {
  return std::ranges::find(list, value) != list.end();
}

}  // namespace

std::optional<std::vector<NodeList>> waits_of(const std::vector<NodeFacts>& nodes) {
  std::vector<NodeList> waits(nodes.size());
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    const auto wait_for = [&](std::uint32_t other) {
      if (!has(waits[node], other)) waits[node].push_back(other);
    };
    // Back to the last writer: whoever uses the buffer in between is waited for by a writer.
    const auto walk_back = [&](std::uint32_t buffer, bool is_writer) {
      for (std::uint32_t earlier = node; earlier-- > 0;) {
        const bool is_last_writer = has(nodes[earlier].writes, buffer);
        if (is_last_writer || (is_writer && has(nodes[earlier].reads, buffer))) wait_for(earlier);
        if (is_last_writer) return;
      }
    };
    for (const std::uint32_t buffer : nodes[node].reads)
      walk_back(buffer, false);
    for (const std::uint32_t buffer : nodes[node].writes)
      walk_back(buffer, true);
    for (const std::string& id : nodes[node].depends_on) {
      const auto found = std::ranges::find(nodes, id, &NodeFacts::id);
      if (found == nodes.end()) return std::nullopt;
      wait_for(static_cast<std::uint32_t>(found - nodes.begin()));
    }
    std::ranges::sort(waits[node]);
  }
  return waits;
}

NodeList order_in_waves(const std::vector<NodeList>& waits) {
  NodeList order;
  std::vector<bool> is_done(waits.size());
  while (true) {
    NodeList wave;
    for (std::uint32_t node = 0; node < waits.size(); ++node) {
      const bool is_ready = std::ranges::all_of(waits[node], [&](auto i) { return is_done[i]; });
      if (is_ready && !is_done[node]) wave.push_back(node);
    }
    if (wave.empty()) return order;
    for (const std::uint32_t node : wave) {
      is_done[node] = true;
      order.push_back(node);
    }
  }
}

bool reads_only_what_is_written(const RandomGraph& random) {
  for (auto reader = random.nodes.begin(); reader != random.nodes.end(); ++reader) {
    const auto is_written = [&](std::uint32_t buffer) {
      return std::any_of(random.nodes.begin(), reader, [&](const NodeFacts& writer) {
        const bool runs_too = writer.condition.empty() || writer.condition == reader->condition;
        return runs_too && has(writer.writes, buffer);
      });
    };
    for (const std::uint32_t buffer : reader->reads) {
      if (random.is_transient[buffer] && !is_written(buffer)) return false;
    }
  }
  return true;
}

std::uint64_t scratch_by_growing_slots(const Plan& plan, const std::vector<TransientLife>& lives) {
  struct Slot {
    std::uint64_t bytes = 0;
    std::uint32_t last = 0;
  };
  std::vector<Slot> slots;
  std::uint64_t scratch = 0;
  for (const TransientLife& life : lives) {
    Slot* smallest = nullptr;
    for (Slot& slot : slots) {
      if (slot.last < life.first && (smallest == nullptr || slot.bytes < smallest->bytes)) {
        smallest = &slot;
      }
    }
    if (smallest == nullptr) smallest = &slots.emplace_back();
    smallest->bytes = std::max(smallest->bytes, plan.buffers[life.buffer].bytes);
    smallest->last = life.last;
  }
  for (const Slot& slot : slots)
    scratch += slot.bytes;
  return scratch;
}

}  // namespace wgprim::testing
