// From a kernel's name and specialisation to its final WGSL, and to the PlanKernel that names it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim::kernels {

/// The same text for both compilers but for the prelude: naga (wgpu-native) refuses
/// `enable subgroups;`, Tint (Chromium, Dawn) needs it.
enum class Dialect { naga, tint };

/// Names a kernel of the table with the given slots and constants and fills in its bindings, those
/// of its fragments included. Slots not given take their default fragment.
/// Errors: an unknown kernel, slot, fragment or constant.
Result<PlanKernel> specialise(
    std::string_view name,
    const std::vector<std::pair<std::string_view, std::string_view>>& slots = {},
    const std::vector<std::pair<std::string_view, std::uint32_t>>& constants = {});

/// The final text: fragments in place of imports and slots, repeats written out, prelude in front.
/// Constants stay overrides. For a kernel with its own `wgsl` that text, with the prelude.
Result<std::string> assemble(const PlanKernel& kernel, Dialect dialect);

}  // namespace wgprim::kernels
