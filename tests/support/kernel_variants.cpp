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

/// The ways to fill the slots that leave a choice: where the input lies, and whether the rows are
/// counted on the device.
std::vector<Slots> slot_choices(const kernels::ShaderFile& kernel) {
  std::vector<Slots> choices = {{}};
  if (declares(kernel, "source", &kernels::ShaderFile::slots)) {
    choices.clear();
    for (const kernels::ShaderFile& fragment : kernels::shader_files()) {
      if (fragment.name.starts_with(kSourcePrefix)) choices.push_back({{"source", fragment.name}});
    }
  }
  if (!declares(kernel, "row_count", &kernels::ShaderFile::slots)) return choices;
  const std::size_t planned = choices.size();
  for (std::size_t i = 0; i < planned; ++i) {
    Slots slots = choices[i];
    slots.emplace_back("row_count", "row_count_on_device");
    slots.emplace_back("more_parameters", "parameters_row_count");
    choices.push_back(std::move(slots));
  }
  return choices;
}

/// The kernel and the fragments that were chosen for it; what a second slot adds goes unsaid.
std::string variant_name(const kernels::ShaderFile& kernel, const Slots& slots,
                         std::uint32_t width) {
  std::string name(kernel.name);
  for (const auto& [slot, fragment] : slots) {
    if (slot != "more_parameters") name += concat(".", fragment);
  }
  return concat(name, ".", width);
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
        variants.push_back({variant_name(kernel, slots, width), *std::move(specialised)});
      }
    }
  }
  return variants;
}

}  // namespace wgprim::testing
