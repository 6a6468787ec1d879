// From a kernel's name and specialisation to its final WGSL, and to the PlanKernel that names it.
#pragma once

#include <array>
#include <cstdint>
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

/// What a specialised kernel asks of the device, by its files rather than by what a plan claims.
struct KernelNeeds {
  bool subgroups = false;
  std::array<std::uint64_t, 3> workgroup_size = {0, 0, 0};  ///< Lanes in x, y and z.
  std::uint64_t workgroup_bytes = 0;
};

/// The workgroup memory of a kernel with its own `wgsl` is not measured. Errors: those of
/// specialise; for a kernel with its own `wgsl` those of read_entry_point.
Result<KernelNeeds> needs_of(const PlanKernel& kernel);

/// The final text: fragments in place of imports and slots, repeats written out, prelude in front.
/// Constants stay overrides. For a kernel with its own `wgsl` that text, with `enable subgroups;`
/// where the dialect wants it and without it where it does not.
Result<std::string> assemble(const PlanKernel& kernel, Dialect dialect);

}  // namespace wgprim::kernels
