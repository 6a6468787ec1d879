// Tables of dispatches; see the header.
#include "support/plan_lines.hpp"

#include "kernels/kernel_table.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using Places = std::map<std::string, std::size_t, std::less<>>;

/// Out of the declaration: "  spine: u32,".
Places read_parameter_block() {
  Places places;
  std::string_view text = kernels::find_shader_file("parameters")->text;
  for (auto end = text.find(": u32,"); end != text.npos; end = text.find(": u32,")) {
    const auto start = text.rfind(' ', end) + 1;
    places.emplace(text.substr(start, end - start), places.size());
    text.remove_prefix(end + 1);
  }
  return places;
}

std::string parameters_text(const PlanDispatch& dispatch) {
  std::string text = concat(dispatch.parameters[0], " ", dispatch.parameters[1]);
  for (std::size_t i = 2; i < dispatch.parameters.size(); ++i) {
    if (dispatch.parameters[i] == 0) continue;
    for (const auto& [name, place] : parameter_places()) {
      if (place == i) text += concat(" ", name, "=", dispatch.parameters[i]);
    }
  }
  return text;
}

}  // namespace

const Places& parameter_places() {
  static const Places kPlaces = read_parameter_block();
  return kPlaces;
}

std::string lines_of(const Plan& plan) {
  std::string text = "\n";
  for (const PlanDispatch& dispatch : plan.dispatches) {
    const auto [x, y, z] = dispatch.shape;
    text += concat(plan.kernels[dispatch.kernel].name, " ", x, "x", y, "x", z, " (",
                   parameters_text(dispatch), ")");
    for (const PlanBinding& binding : dispatch.bindings) {
      const std::string& id = plan.buffers[binding.buffer].id;
      text += concat(" ", id.starts_with("scan.") ? id.substr(5) : id);
      if (binding.offset != 0) text += concat("@", binding.offset);
      text += concat("[", binding.bytes, "]");
    }
    text += "\n";
  }
  return text;
}

}  // namespace wgprim::testing
