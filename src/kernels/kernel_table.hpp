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

/// An array in workgroup memory: what it holds (u32, Element or Item) and the constant that is its
/// length.
struct WorkgroupArray {
  std::string_view element;
  std::string_view length;
};

/// One .wgsl file: a kernel (entry point named like the file) or a fragment from shaders/shared.
struct ShaderFile {
  std::string_view name;
  std::string_view text;
  bool is_kernel;
  bool uses_subgroups;               ///< In the file's own text.
  std::string_view workgroup_width;  ///< The constant that a kernel's workgroup is as wide as.
  std::span<const WorkgroupArray> workgroup_arrays;
  std::span<const BindingDeclaration> bindings;
  std::span<const OverrideDeclaration> overrides;
  std::span<const SlotDeclaration> slots;
  std::span<const std::string_view> imports;
};

/// Bytes of an item, what blocks add up to, in arrays of storage and workgroup memory: an element
/// of so many words, with segments and a count beside it, padded as WGSL pads them.
constexpr std::uint64_t item_bytes(std::uint64_t element_words, bool is_segmented) {
  const std::uint64_t alignment = element_words > 2 ? 16 : 4 * element_words;
  const std::uint64_t bytes = 4 * (element_words + (is_segmented ? 1 : 0));
  return (bytes + alignment - 1) / alignment * alignment;
}

/// All files, sorted by name.
std::span<const ShaderFile> shader_files();

/// Null where there is no such file.
const ShaderFile* find_shader_file(std::string_view name);

}  // namespace wgprim::kernels
