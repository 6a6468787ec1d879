// What the planner must know of a kernel that the user wrote: its entry point, how wide its
// workgroups are, and whether it asks for subgroups. A scanner of tokens, no compiler: whatever it
// does not understand it says so.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wgprim/result.hpp"

namespace wgprim::kernels {

struct EntryPoint {
  std::string name;
  std::array<std::uint32_t, 3> workgroup_size = {1, 1, 1};
  bool uses_subgroups = false;  ///< The text has `enable subgroups;`.
};

/// The compute entry point `name` of a WGSL text, or its only one where `name` is empty. Workgroup
/// sizes may be numbers, constants and overrides of module scope, and + - * / of these; `constants`
/// are given to the overrides (by @id where they have one), the others take their defaults. Errors:
/// invalid_argument for a text that a compiler would not survive (check_bounds), without that entry
/// point, with several where none is named, or with a workgroup size that cannot be read.
Result<EntryPoint> read_entry_point(
    std::string_view wgsl, std::string_view name,
    const std::vector<std::pair<std::string, std::uint32_t>>& constants = {});

/// The text with every `enable subgroups;` blanked out, for compilers that refuse the directive;
/// lines and columns stay.
std::string without_subgroups_directive(std::string_view wgsl);

}  // namespace wgprim::kernels
