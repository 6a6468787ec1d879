// The kernel table: what tools/pack_shaders.py reads out of shaders/**/*.wgsl at build time.
// Bindings, overrides, slots and imports are declared in WGSL only and found here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "wgprim/plan.hpp"

namespace wgprim::kernels {

/// Widths of the workgroups that kernels run in. WebGPU promises 128 lanes even in compatibility
/// mode; the rows of a lane are written out, and with fewer than 32 lanes compilers take minutes.
inline constexpr std::uint64_t kFewestLanes = 32;
inline constexpr std::uint64_t kMostLanes = 256;

struct BindingDeclaration {
  std::uint32_t binding;
  std::string_view name;
  Access access;
};

/// An override and its default, as a bool or u32.
struct OverrideDeclaration {
  std::string_view name;
  std::uint32_t value;
};

/// A text slot and the fragment that fills it unless a specialisation says otherwise.
struct SlotDeclaration {
  std::string_view name;
  std::string_view default_fragment;
};

/// One .wgsl file: a kernel (entry point named like the file) or a fragment from shaders/shared.
struct ShaderFile {
  std::string_view name;
  std::string_view text;
  bool is_kernel;
  bool uses_subgroups;               ///< In the file's own text.
  std::string_view workgroup_width;  ///< The constant that a kernel's workgroup is as wide as.
  /// The constant that is the length of each array in workgroup memory; elements take 4 bytes.
  std::span<const std::string_view> workgroup_arrays;
  std::span<const BindingDeclaration> bindings;
  std::span<const OverrideDeclaration> overrides;
  std::span<const SlotDeclaration> slots;
  std::span<const std::string_view> imports;
};

/// All files, sorted by name.
std::span<const ShaderFile> shader_files();

/// Null where there is no such file.
const ShaderFile* find_shader_file(std::string_view name);

}  // namespace wgprim::kernels
