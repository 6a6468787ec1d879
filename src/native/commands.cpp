// Flattens the passes of a plan. Where one compute pass ends and the next begins does not matter:
// the recorder joins those that follow each other.
#include "native/commands.hpp"

#include <variant>

namespace wgprim::native {
namespace {

Command command_of(const PlanCopy& copy, std::uint32_t pass) {
  return {Command::Kind::copy, copy.node, pass};
}
Command command_of(const PlanClear& clear, std::uint32_t pass) {
  return {Command::Kind::clear, clear.node, pass};
}
Command command_of(const PlanExternal& external, std::uint32_t pass) {
  return {Command::Kind::external, external.node, pass};
}

}  // namespace

CommandList::CommandList(const Plan& plan) {
  commands_.reserve(plan.dispatches.size() + plan.passes.size());
  for (std::uint32_t pass = 0; pass < plan.passes.size(); ++pass) {
    const auto append = [&](const auto& work) {
      if constexpr (std::is_same_v<decltype(work), const PlanComputePass&>) {
        for (std::uint32_t i = work.first; i < work.end; ++i)
          commands_.push_back({Command::Kind::dispatch, plan.dispatches[i].node, i});
      } else {
        commands_.push_back(command_of(work, pass));
      }
    };
    std::visit(append, plan.passes[pass]);
  }
  std::uint32_t next = 0;
  for (std::uint32_t node = 0; node <= plan.nodes.size(); ++node) {
    while (next < commands_.size() && commands_[next].node < node)
      ++next;
    first_.push_back(next);
  }
}

}  // namespace wgprim::native
