// The commands of a plan in the order they run, and the buffers that each names: what budgets,
// reports and pictures walk over.
#pragma once

#include <type_traits>
#include <variant>

#include "wgprim/plan.hpp"

namespace wgprim {

/// Calls `visit` with each PlanDispatch, PlanCopy, PlanClear and PlanExternal.
template <class Visit>
void for_each_command(const Plan& plan, Visit visit) {
  const auto visit_pass = [&](const auto& pass) {
    if constexpr (std::is_same_v<std::decay_t<decltype(pass)>, PlanComputePass>) {
      for (std::uint32_t index = pass.first; index < pass.end; ++index)
        visit(plan.dispatches[index]);
    } else {
      visit(pass);
    }
  };
  for (const PlanPass& pass : plan.passes)
    std::visit(visit_pass, pass);
}

/// Calls `visit` with the index of each buffer that a command names, as often as it does.
template <class Visit>
void for_each_buffer(const PlanDispatch& dispatch, Visit visit) {
  for (const PlanBinding& binding : dispatch.bindings)
    visit(binding.buffer);
  if (dispatch.indirect) visit(dispatch.indirect->buffer);
}

template <class Visit>
void for_each_buffer(const PlanCopy& copy, Visit visit) {
  visit(copy.source);
  visit(copy.destination);
}

template <class Visit>
void for_each_buffer(const PlanClear& clear, Visit visit) {
  visit(clear.buffer);
}

template <class Visit>
void for_each_buffer(const PlanExternal& external, Visit visit) {
  for (const PlanExternalUse& use : external.uses)
    visit(use.buffer);
}

}  // namespace wgprim
