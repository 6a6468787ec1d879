// Checks the passes of a plan: copies, clears, external work, and that the commands come in the
// order of their nodes, every dispatch once.
#include <bit>
#include <variant>

#include "native/buffer_state.hpp"
#include "native/plan_check.hpp"

namespace wgprim::native {
namespace {

Result<void> check_words(std::string_view what, std::uint64_t offset, std::uint64_t bytes) {
  if (offset % 4 == 0 && bytes % 4 == 0) return {};
  return contradiction(what, " at offset ", offset, " of ", bytes,
                       " bytes is not made of whole words");
}

Result<void> check_pass(const Plan& plan, const PlanCopy& copy) {
  constexpr std::string_view kWhat = "a copy";
  auto checked =
      check_range(plan, kWhat, copy.source, copy.source_offset, copy.bytes, kUsageCopySource);
  if (!checked) return checked;
  checked = check_range(plan, kWhat, copy.destination, copy.destination_offset, copy.bytes,
                        kUsageCopyDestination);
  if (!checked) return checked;
  if (memory_of(plan, copy.source) == memory_of(plan, copy.destination)) {
    return fail(ErrorCode::aliasing,
                concat("In the plan a copy from '", plan.buffers[copy.source].id, "' to '",
                       plan.buffers[copy.destination].id, "' stays within one buffer."));
  }
  checked = check_words(kWhat, copy.source_offset, copy.bytes);
  return checked ? check_words(kWhat, copy.destination_offset, copy.bytes) : checked;
}

Result<void> check_pass(const Plan& plan, const PlanClear& clear) {
  constexpr std::string_view kWhat = "a clear";
  const auto checked =
      check_range(plan, kWhat, clear.buffer, clear.offset, clear.bytes, kUsageCopyDestination);
  return checked ? check_words(kWhat, clear.offset, clear.bytes) : checked;
}

Result<void> check_pass(const Plan& plan, const PlanExternal& external) {
  const std::string what = concat("the external work of node '", plan.nodes[external.node].id, "'");
  for (const PlanExternalUse& use : external.uses) {
    if (!std::has_single_bit(use.usage) || (use.usage & ~all_usages()) != 0) {
      return contradiction(what, " uses buffer ", use.buffer, " with usage ", use.usage,
                           ", which is not one usage flag");
    }
    // A view of no rows keeps its place among the uses.
    const std::uint64_t bytes = use.bytes == 0 ? 4 : use.bytes;
    const std::uint64_t offset = use.bytes == 0 ? 0 : use.offset;
    const auto checked = check_range(plan, what, use.buffer, offset, bytes, use.usage);
    if (!checked) return checked;
  }
  return {};
}

/// Walks the passes and remembers where it is.
class PassWalk {
 public:
  explicit PassWalk(const Plan& plan) : plan_(plan) {}

  Result<void> walk() {
    for (const PlanPass& pass : plan_.passes) {
      const auto checked = std::visit([this](const auto& work) { return check(work); }, pass);
      if (!checked) return checked;
    }
    if (next_dispatch_ == plan_.dispatches.size()) return {};
    return contradiction("no pass holds dispatch ", next_dispatch_, " of ",
                         plan_.dispatches.size());
  }

 private:
  Result<void> check(const PlanComputePass& pass) {
    if (pass.first != next_dispatch_ || pass.end <= pass.first ||
        pass.end > plan_.dispatches.size()) {
      return contradiction("a pass holds the dispatches from ", pass.first, " to ", pass.end,
                           " where ", next_dispatch_, " is the next of ", plan_.dispatches.size());
    }
    for (; next_dispatch_ < pass.end; ++next_dispatch_) {
      const auto entered = enter("a dispatch", plan_.dispatches[next_dispatch_].node);
      if (!entered) return entered;
    }
    return {};
  }

  Result<void> check(const PlanCopy& copy) {
    const auto entered = enter("a copy", copy.node);
    return entered ? check_pass(plan_, copy) : entered;
  }

  Result<void> check(const PlanClear& clear) {
    const auto entered = enter("a clear", clear.node);
    return entered ? check_pass(plan_, clear) : entered;
  }

  Result<void> check(const PlanExternal& external) {
    const auto entered = enter("external work", external.node);
    if (!entered) return entered;
    if (external.node < next_external_) {
      return contradiction("node '", plan_.nodes[external.node].id, "' has external work twice");
    }
    next_external_ = external.node + 1;
    return check_pass(plan_, external);
  }

  Result<void> enter(std::string_view what, std::uint32_t node) {
    if (node >= plan_.nodes.size()) return contradiction(what, " has node ", node);
    if (node < node_) {
      return contradiction(what, " of node '", plan_.nodes[node].id, "' comes after work of node '",
                           plan_.nodes[node_].id, "', which runs later");
    }
    node_ = node;
    return {};
  }

  const Plan& plan_;
  std::uint32_t next_dispatch_ = 0;
  std::uint32_t node_ = 0;
  std::uint32_t next_external_ = 0;  ///< The lowest node that may have external work.
};

}  // namespace

Result<void> check_passes(const Plan& plan) { return PassWalk(plan).walk(); }

}  // namespace wgprim::native
