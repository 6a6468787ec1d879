// Lifetimes of scratch; see the header.
#include "support/plan_lives.hpp"

#include <algorithm>
#include <map>
#include <variant>

namespace wgprim::testing {
namespace {

/// A use of a buffer by a command of the plan.
struct CommandUse {
  std::uint32_t buffer = 0;
  bool is_write = false;
};

std::vector<CommandUse> uses_of(const Plan& plan, const PlanDispatch& dispatch) {
  std::vector<CommandUse> uses;
  for (const PlanBinding& binding : dispatch.bindings) {
    for (const KernelBinding& declared : plan.kernels[dispatch.kernel].bindings) {
      if (declared.binding != binding.binding) continue;
      uses.push_back({binding.buffer, declared.access == Access::storage_read_write});
    }
  }
  if (dispatch.indirect) uses.push_back({dispatch.indirect->buffer, false});
  return uses;
}

/// The uses of every command in the order of execution.
std::vector<std::vector<CommandUse>> commands_of(const Plan& plan) {
  std::vector<std::vector<CommandUse>> commands;
  for (const PlanPass& pass : plan.passes) {
    if (const auto* compute = std::get_if<PlanComputePass>(&pass)) {
      for (std::uint32_t i = compute->first; i < compute->end; ++i)
        commands.push_back(uses_of(plan, plan.dispatches[i]));
    } else if (const auto* copy = std::get_if<PlanCopy>(&pass)) {
      commands.push_back({{copy->source, false}, {copy->destination, true}});
    } else if (const auto* clear = std::get_if<PlanClear>(&pass)) {
      commands.push_back({{clear->buffer, true}});
    } else {
      auto& uses = commands.emplace_back();
      for (const PlanExternalUse& use : std::get<PlanExternal>(pass).uses)
        uses.push_back({use.buffer, use.is_written});
    }
  }
  return commands;
}

}  // namespace

std::vector<TransientLife> lives_of(const Plan& plan) {
  std::map<std::uint32_t, TransientLife> lives;
  const auto commands = commands_of(plan);
  for (std::uint32_t command = 0; command < commands.size(); ++command) {
    for (const CommandUse& use : commands[command]) {
      if (plan.buffers[use.buffer].role != BufferRole::transient) continue;
      TransientLife& life =
          lives.try_emplace(use.buffer, TransientLife{use.buffer, command, command, false})
              .first->second;
      life.last = command;
      life.begins_with_write |= life.first == command && use.is_write;
    }
  }
  std::vector<TransientLife> sorted;
  for (const auto& [buffer, life] : lives)
    sorted.push_back(life);
  std::ranges::stable_sort(sorted, {}, &TransientLife::first);
  return sorted;
}

}  // namespace wgprim::testing
