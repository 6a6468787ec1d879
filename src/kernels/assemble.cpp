// Puts a kernel's text together; see the header. The directives are those of tools/pack_shaders.py,
// which has already refused files that misuse them.
#include "kernels/assemble.hpp"

#include <algorithm>

#include "kernels/kernel_table.hpp"
#include "kernels/read_entry_point.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::kernels {
namespace {

/// On the line of the text's first, so that line numbers stay.
constexpr const char* kTintPrelude = "enable subgroups; ";

/// The fragment a specialisation puts into a slot, else the slot's default.
std::string_view fragment_of(const PlanKernel& kernel, const SlotDeclaration& slot) {
  for (const auto& [name, fragment] : kernel.slots) {
    if (name == slot.name) return fragment;
  }
  return slot.default_fragment;
}

Result<const ShaderFile*> find_file(std::string_view kernel, std::string_view name) {
  if (const ShaderFile* file = find_shader_file(name)) return file;
  return fail(ErrorCode::invalid_argument, concat("Kernel '", kernel, "' names the fragment '",
                                                  name, "', which is not in the kernel table."));
}

/// The files of a specialised kernel: itself, its imports, and what fills the slots of these.
Result<std::vector<const ShaderFile*>> files_of(const PlanKernel& kernel) {
  const ShaderFile* root = find_shader_file(kernel.name);
  if (root == nullptr || !root->is_kernel) {
    return fail(ErrorCode::invalid_argument,
                concat("There is no kernel '", kernel.name, "' in the kernel table."));
  }
  std::vector<const ShaderFile*> files = {root};
  for (const std::string_view name : root->imports) {
    const auto file = find_file(kernel.name, name);
    if (!file) return pass_on(file);
    files.push_back(*file);
  }
  const std::size_t with_slots = files.size();
  for (std::size_t i = 0; i < with_slots; ++i) {
    for (const SlotDeclaration& slot : files[i]->slots) {
      const auto file = find_file(kernel.name, fragment_of(kernel, slot));
      if (!file) return pass_on(file);
      if ((*file)->is_kernel || !(*file)->slots.empty()) {
        return fail(ErrorCode::invalid_argument,
                    concat("'", (*file)->name, "' cannot fill slot '", slot.name, "' of kernel '",
                           kernel.name, "': only a fragment without slots can."));
      }
      files.push_back(*file);
    }
  }
  return files;
}

/// Every slot and constant that a specialisation names must be declared by one of its files.
Result<void> check_names(const PlanKernel& kernel, const std::vector<const ShaderFile*>& files) {
  for (const auto& [name, fragment] : kernel.slots) {
    const bool is_known = std::ranges::any_of(files, [&](const ShaderFile* file) {
      return std::ranges::find(file->slots, name, &SlotDeclaration::name) != file->slots.end();
    });
    if (is_known) continue;
    return fail(ErrorCode::invalid_argument,
                concat("Kernel '", kernel.name, "' has no slot '", name, "'."));
  }
  for (const auto& [name, value] : kernel.constants) {
    const bool is_known = std::ranges::any_of(files, [&](const ShaderFile* file) {
      return std::ranges::find(file->overrides, name, &OverrideDeclaration::name) !=
             file->overrides.end();
    });
    if (is_known) continue;
    return fail(ErrorCode::invalid_argument,
                concat("Kernel '", kernel.name, "' has no constant '", name, "'."));
  }
  return {};
}

/// Value of a constant: the specialisation's, else the override's default.
std::uint32_t constant_of(const PlanKernel& kernel, const std::vector<const ShaderFile*>& files,
                          std::string_view name) {
  for (const auto& [given, value] : kernel.constants) {
    if (given == name) return value;
  }
  for (const ShaderFile* file : files) {
    for (const OverrideDeclaration& declaration : file->overrides) {
      if (declaration.name == name) return declaration.value;
    }
  }
  return 0;
}

/// Bytes of an element of an array in workgroup memory.
std::uint64_t bytes_of(const PlanKernel& kernel, const std::vector<const ShaderFile*>& files,
                       std::string_view element) {
  if (element == "u32") return 4;
  const bool is_segmented = std::ranges::any_of(
      files, [](const ShaderFile* file) { return file->name == "item_segmented"; });
  const std::uint64_t words = std::max(constant_of(kernel, files, "ELEMENT_WORDS"), 1u);
  return item_bytes(words, element == "Item" && is_segmented);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0 || separator == '\n') parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// The words of a directive line without its '#', or nothing.
std::vector<std::string_view> directive(std::string_view line) {
  const std::size_t start = line.find_first_not_of(' ');
  if (start == std::string_view::npos || line[start] != '#') return {};
  return split(line.substr(start + 1), ' ');
}

/// More than any kernel writes out; constants may come from a file.
constexpr std::uint32_t kMostRepeats = 256;

class Assembler {
 public:
  Assembler(const PlanKernel& kernel, const std::vector<const ShaderFile*>& files)
      : kernel_(kernel), files_(files) {}

  Result<std::string> run() {
    // In front, so that the lines a compiler names are those of the user's text.
    if (!kernel_.operator_wgsl.empty()) append_line(kernel_.operator_wgsl);
    append_file(*files_.front());
    if (!fault_.empty()) return fail(ErrorCode::invalid_argument, std::move(fault_));
    return std::move(text_);
  }

 private:
  void append_file(const ShaderFile& file) {
    const auto lines = split(file.text, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto words = directive(lines[i]);
      if (words.empty()) {
        append_line(lines[i]);
      } else if (words[0] == "import") {
        append_fragment(words[1]);
      } else if (words[0] == "slot") {
        append_fragment(fragment_of(kernel_, {words[1], words[2]}));
      } else if (words[0] == "repeat") {
        const std::size_t first = i + 1;
        while (directive(lines[i]).empty() || directive(lines[i])[0] != "end")
          ++i;
        append_repeated({lines.begin() + static_cast<std::ptrdiff_t>(first),
                         lines.begin() + static_cast<std::ptrdiff_t>(i)},
                        words[1], words[2]);
      }
    }
  }

  void append_fragment(std::string_view name) {
    if (std::ranges::find(included_, name) != included_.end()) return;
    included_.push_back(name);
    append_file(**std::ranges::find(files_, name, &ShaderFile::name));
  }

  void append_repeated(const std::vector<std::string_view>& lines, std::string_view variable,
                       std::string_view constant) {
    const std::uint32_t count = constant_of(kernel_, files_, constant);
    if (count > kMostRepeats) {
      fault_ = concat("Kernel '", kernel_.name, "' would write lines out ", count, " times (",
                      constant, ", at most ", kMostRepeats, ").");
      return;
    }
    const std::string mark = concat("${", variable, "}");
    for (std::uint32_t value = 0; value < count; ++value) {
      const std::string number = std::to_string(value);
      for (std::string line : std::vector<std::string>(lines.begin(), lines.end())) {
        for (auto at = line.find(mark); at != line.npos; at = line.find(mark, at)) {
          line.replace(at, mark.size(), number);
        }
        append_line(line);
      }
    }
  }

  void append_line(std::string_view line) {
    text_ += line;
    text_ += '\n';
  }

  const PlanKernel& kernel_;
  const std::vector<const ShaderFile*>& files_;
  std::vector<std::string_view> included_;
  std::string fault_;
  std::string text_;
};

Result<KernelNeeds> needs_of_own_text(const PlanKernel& kernel) {
  KernelNeeds needs{.subgroups = kernel.uses_subgroups};
  const auto entry_point = read_entry_point(kernel.wgsl, kernel.entry_point, kernel.constants);
  if (!entry_point) {
    return fail(entry_point.error().code,
                concat("Kernel '", kernel.name, "': ", entry_point.error().message));
  }
  needs.subgroups |= entry_point->uses_subgroups;
  std::ranges::copy(entry_point->workgroup_size, needs.workgroup_size.begin());
  return needs;
}

std::string assemble_own_text(const PlanKernel& kernel, Dialect dialect) {
  if (dialect == Dialect::naga) return without_subgroups_directive(kernel.wgsl);
  const bool has_directive = without_subgroups_directive(kernel.wgsl) != kernel.wgsl;
  return (kernel.uses_subgroups && !has_directive ? kTintPrelude : "") + kernel.wgsl;
}

}  // namespace

const ShaderFile* find_shader_file(std::string_view name) {
  const auto files = shader_files();
  const auto found = std::ranges::lower_bound(files, name, {}, &ShaderFile::name);
  return found != files.end() && found->name == name ? &*found : nullptr;
}

Result<PlanKernel> specialise(
    std::string_view name, const std::vector<std::pair<std::string_view, std::string_view>>& slots,
    const std::vector<std::pair<std::string_view, std::uint32_t>>& constants) {
  PlanKernel kernel;
  kernel.name = name;
  kernel.slots.assign(slots.begin(), slots.end());
  kernel.constants.assign(constants.begin(), constants.end());
  std::ranges::sort(kernel.constants);
  const auto files = files_of(kernel);
  if (!files) return pass_on(files);
  if (auto ok = check_names(kernel, *files); !ok) return pass_on(ok);
  for (const ShaderFile* file : *files) {
    for (const BindingDeclaration& binding : file->bindings) {
      kernel.bindings.push_back({binding.binding, binding.access});
    }
    kernel.uses_subgroups |= file->uses_subgroups;
  }
  std::ranges::sort(kernel.bindings, {}, &KernelBinding::binding);
  return kernel;
}

Result<KernelNeeds> needs_of(const PlanKernel& kernel) {
  if (!kernel.wgsl.empty()) return needs_of_own_text(kernel);
  const auto files = files_of(kernel);
  if (!files) return pass_on(files);
  if (auto ok = check_names(kernel, *files); !ok) return pass_on(ok);
  KernelNeeds needs;
  needs.workgroup_size = {constant_of(kernel, *files, files->front()->workgroup_width), 1, 1};
  for (const ShaderFile* file : *files) {
    needs.subgroups |= file->uses_subgroups;
    for (const auto& [element, length] : file->workgroup_arrays) {
      needs.workgroup_bytes +=
          bytes_of(kernel, *files, element) * constant_of(kernel, *files, length);
    }
  }
  return needs;
}

Result<std::string> assemble(const PlanKernel& kernel, Dialect dialect) {
  if (!kernel.wgsl.empty()) return assemble_own_text(kernel, dialect);
  const bool needs_enable = dialect == Dialect::tint && kernel.uses_subgroups;
  const auto files = files_of(kernel);
  if (!files) return pass_on(files);
  if (auto ok = check_names(kernel, *files); !ok) return pass_on(ok);
  const auto text = Assembler(kernel, *files).run();
  if (!text) return text;
  return (needs_enable ? kTintPrelude : "") + *text;
}

}  // namespace wgprim::kernels
