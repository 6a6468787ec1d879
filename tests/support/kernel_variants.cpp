// The specialisations; see the header. Names come from the kernel table, so that a kernel added
// there is a variant here without being written down twice.
#include "support/kernel_variants.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using Slots = std::vector<std::pair<std::string_view, std::string_view>>;
using Constants = std::vector<std::pair<std::string_view, std::uint32_t>>;

constexpr std::uint32_t kBlock = 256;
constexpr std::string_view kSourcePrefix = "source_";

const kernels::ShaderFile& file(std::string_view name) {
  const kernels::ShaderFile* found = kernels::find_shader_file(name);
  if (found == nullptr) throw std::logic_error(concat("no shader file ", name));
  return *found;
}

/// Whether the kernel, or a fragment that it imports, declares such a slot or override.
template <class Declaration>
bool declares(const kernels::ShaderFile& kernel, std::string_view name,
              std::span<const Declaration> kernels::ShaderFile::* list) {
  const auto has = [&](const kernels::ShaderFile& part) {
    return std::ranges::find(part.*list, name, &Declaration::name) != (part.*list).end();
  };
  return has(kernel) || std::ranges::any_of(kernel.imports, [&](std::string_view import) {
           return has(file(import));
         });
}

std::vector<Slots> slot_choices(const kernels::ShaderFile& kernel) {
  if (!declares(kernel, "source", &kernels::ShaderFile::slots)) return {{}};
  std::vector<Slots> choices;
  for (const kernels::ShaderFile& fragment : kernels::shader_files()) {
    if (fragment.name.starts_with(kSourcePrefix)) choices.push_back({{"source", fragment.name}});
  }
  return choices;
}

}  // namespace

std::vector<KernelVariant> kernel_variants() {
  std::vector<KernelVariant> variants;
  for (const kernels::ShaderFile& kernel : kernels::shader_files()) {
    if (!kernel.is_kernel) continue;
    const bool has_rows = declares(kernel, "ROWS_PER_LANE", &kernels::ShaderFile::overrides);
    for (const Slots& slots : slot_choices(kernel)) {
      for (const std::uint32_t width : {kBlock, kBlock / 2, kBlock / 4}) {
        Constants constants = {{"WORKGROUP_WIDTH", width}};
        if (has_rows) constants.emplace_back("ROWS_PER_LANE", kBlock / width);
        auto specialised = kernels::specialise(kernel.name, slots, constants);
        if (!specialised) throw std::logic_error(specialised.error().message);
        std::string name = std::string(kernel.name);
        for (const auto& [slot, fragment] : slots)
          name += concat(".", fragment);
        variants.push_back({concat(name, ".", width), *std::move(specialised)});
      }
    }
  }
  return variants;
}

}  // namespace wgprim::testing
