// Counts memory mappings before a driver that needs many of them; see the header.
#include "native/memory_mappings.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

/// Counting costs as much as making a few of these, so that small plans go without.
constexpr std::uint64_t kFewDispatches = 1000;

/// For threads, buffers and the driver's own heap.
constexpr std::uint64_t kSpareMappings = 1000;

/// Of one process; 0 where the system does not say.
std::uint64_t most_mappings() {
  std::uint64_t most = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  return most;
}

std::uint64_t mappings_in_use() {
  std::ifstream maps("/proc/self/maps");
  using Characters = std::istreambuf_iterator<char>;
  return static_cast<std::uint64_t>(std::count(Characters(maps), Characters(), '\n'));
}

/// The node with the most dispatches.
const PlanNode& longest_node(const Plan& plan, std::uint64_t& dispatches) {
  std::vector<std::uint64_t> counts(plan.nodes.size());
  for (const PlanDispatch& dispatch : plan.dispatches)
    ++counts[dispatch.node];
  const auto most = std::ranges::max_element(counts);
  dispatches = *most;
  return plan.nodes[static_cast<std::size_t>(most - counts.begin())];
}

}  // namespace

Result<void> check_memory_mappings(const Device::State& device, const Plan& plan) {
  const std::uint64_t needed = plan.dispatches.size();
  if (needed < kFewDispatches || !device.adapter.name.contains("llvmpipe")) return {};
  const std::uint64_t most = most_mappings();
  const std::uint64_t used = mappings_in_use();
  if (most == 0 || used + needed + kSpareMappings <= most) return {};
  std::uint64_t dispatches = 0;
  const PlanNode& node = longest_node(plan, dispatches);
  return fail(
      ErrorCode::limit_exceeded,
      concat("The plan takes ", needed, " dispatches, ", dispatches, " of them for node '", node.id,
             "', and the driver a memory mapping for each, of which the process has ", used,
             " already; the system allows ", most, " (vm.max_map_count)."));
}

}  // namespace wgprim::native
