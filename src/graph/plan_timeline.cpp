// The timeline of a plan's slots; see the header. Called by to_text(plan).
#include "graph/plan_timeline.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "graph/plan_commands.hpp"
#include "graph/text_layout.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kBarWidth = 60;

/// The first and last command that names a buffer.
struct Stay {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct Timeline {
  std::uint64_t commands = 0;
  std::vector<std::optional<Stay>> stays;  ///< By buffer.
};

Timeline timeline_of(const Plan& plan) {
  Timeline timeline;
  timeline.stays.resize(plan.buffers.size());
  for_each_command(plan, [&](const auto& command) {
    for_each_buffer(command, [&](std::uint32_t buffer) {
      auto& stay = timeline.stays[buffer];
      if (!stay) stay = Stay{timeline.commands, timeline.commands};
      stay->last = timeline.commands;
    });
    ++timeline.commands;
  });
  return timeline;
}

std::string bar(const Stay& stay, std::uint64_t commands) {
  const std::uint64_t width = std::min(kBarWidth, commands);
  const auto place = [&](std::uint64_t command) {
    return static_cast<std::size_t>(command * width / commands);
  };
  std::string text(static_cast<std::size_t>(width), '.');
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(place(stay.first)),
            text.begin() + static_cast<std::ptrdiff_t>(place(stay.last) + 1), '#');
  return text;
}

/// Transients by slot, in order of first use.
std::vector<std::uint32_t> in_order(const Plan& plan, const Timeline& timeline) {
  std::vector<std::uint32_t> transients;
  for (std::uint32_t buffer = 0; buffer < plan.buffers.size(); ++buffer) {
    if (plan.buffers[buffer].slot && timeline.stays[buffer]) transients.push_back(buffer);
  }
  std::ranges::stable_sort(transients, {}, [&](std::uint32_t buffer) {
    return std::pair(*plan.buffers[buffer].slot, timeline.stays[buffer]->first);
  });
  return transients;
}

}  // namespace

std::string timeline_text(const Plan& plan) {
  const Timeline timeline = timeline_of(plan);
  std::optional<std::uint32_t> slot;
  std::string text;
  for (const std::uint32_t index : in_order(plan, timeline)) {
    const PlanBuffer& buffer = plan.buffers[index];
    if (text.empty()) text = concat("slots over commands 0 to ", timeline.commands - 1, "\n");
    if (slot != buffer.slot) {
      slot = buffer.slot;
      text += "  ";
      append_padded(text, concat("slot ", *slot), 24);
      text += concat(grouped(plan.slots[*slot].bytes), " B\n");
    }
    const Stay& stay = *timeline.stays[index];
    text += "    ";
    append_padded(text, quoted(buffer.id), 22);
    text += concat(bar(stay, timeline.commands), "  ", stay.first, " to ", stay.last, "\n");
  }
  return text;
}

}  // namespace wgprim
