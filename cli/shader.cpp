// wgprim shader KERNEL: the final WGSL of a kernel, as a compiler gets it.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "option_values.hpp"
#include "verbs.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::cli {
namespace {

struct ShaderCommand {
  std::string kernel;
  std::string dialect = "naga";
  std::vector<std::string> slots;
  std::vector<std::string> constants;
};

Result<void> check_is_kernel(const std::string& name) {
  const kernels::ShaderFile* file = kernels::find_shader_file(name);
  if (file != nullptr && file->is_kernel) return {};
  std::string known;
  for (const auto& shader : kernels::shader_files()) {
    if (shader.is_kernel) known += fmt::format("{}{}", known.empty() ? "" : ", ", shader.name);
  }
  return fail(ErrorCode::invalid_argument,
              fmt::format("There is no kernel '{}' ({}).", name, known));
}

Result<void> run(const ShaderCommand& command, Session& session) {
  if (auto ok = check_is_kernel(command.kernel); !ok) return ok;
  std::vector<std::pair<std::string_view, std::string_view>> slots;
  for (const std::string& assignment : command.slots) {
    slots.push_back(split_assignment(assignment));
  }
  std::vector<std::pair<std::string_view, std::uint32_t>> constants;
  for (const std::string& assignment : command.constants) {
    const auto [name, text] = split_assignment(assignment);
    const auto value = parse_number<std::uint32_t>(text);
    if (!value) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("Constant '{}' is not of the form NAME=NUMBER.", assignment));
    }
    constants.emplace_back(name, *value);
  }
  const auto kernel = kernels::specialise(command.kernel, slots, constants);
  if (!kernel) return pass_on(kernel);
  const auto dialect = command.dialect == "tint" ? kernels::Dialect::tint : kernels::Dialect::naga;
  const auto text = kernels::assemble(*kernel, dialect);
  if (!text) return pass_on(text);
  if (session.is_json) {
    return print_json({{"kernel", command.kernel}, {"dialect", command.dialect}, {"wgsl", *text}});
  }
  return print(*text);
}

}  // namespace

Verb add_shader(CLI::App& verb) {
  auto command = std::make_shared<ShaderCommand>();
  verb.add_option("KERNEL", command->kernel, "A kernel as a plan names it")->required();
  verb.add_option("--dialect", command->dialect, "The compiler it is for")
      ->check(one_of({"naga", "tint"}))
      ->type_name("naga|tint");
  verb.add_option("--slot", command->slots, "Fill a text slot, for example source=source_in_place")
      ->type_name("NAME=FRAGMENT")
      ->allow_extra_args(false);
  verb.add_option("--constant", command->constants,
                  "Set a constant, for example ROWS_PER_LANE=2 (repeats are written out)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  return [command](Session& session) { return run(*command, session); };
}

}  // namespace wgprim::cli
