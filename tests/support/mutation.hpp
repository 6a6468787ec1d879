// Kernels broken on purpose: a test that passes for them would be worth nothing.
#pragma once

#include <string>
#include <string_view>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Barriers written in a text; a loop may run through one many times.
std::size_t count_barriers(std::string_view wgsl);

/// The text without its barrier number `index`. Throws where there is none.
std::string without_barrier(std::string wgsl, std::size_t index);

/// The text with `part` replaced everywhere. Throws where it does not occur, so that a mutation
/// never silently leaves the kernel sound.
std::string with_replaced(std::string wgsl, std::string_view part, std::string_view replacement);

/// The plan with mutate(text) as the WGSL of each kernel called `name`. Throws where there is none.
template <class Mutate>
Plan with_mutated_kernel(Plan plan, std::string_view name, Mutate mutate);

/// The final text of a kernel of the table, for naga.
std::string text_of(const PlanKernel& kernel);

// -------------------------------------------------------------------------------------------------

void fail_mutation(std::string_view what);

template <class Mutate>
Plan with_mutated_kernel(Plan plan, std::string_view name, Mutate mutate) {
  bool is_found = false;
  for (PlanKernel& kernel : plan.kernels) {
    if (kernel.name != name) continue;
    kernel.wgsl = mutate(text_of(kernel));
    is_found = true;
  }
  if (!is_found) fail_mutation(name);
  return plan;
}

}  // namespace wgprim::testing
