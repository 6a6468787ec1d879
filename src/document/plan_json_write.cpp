// Plan to JSON; see plan_json.hpp.
#include "document/json_reader.hpp"
#include "document/plan_json.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

Json usage_json(std::uint32_t usage) {
  Json names = Json::array();
  for (const auto& [flag, name] : buffer_usage_names()) {
    if ((usage & flag) != 0) names.push_back(name);
  }
  return names;
}

template <class Pairs>
Json pairs_json(const Pairs& pairs) {
  Json object = Json::object();
  for (const auto& [key, value] : pairs)
    object[key] = value;
  return object;
}

Json workload_json(const Workload& workload) {
  return {{"workgroups", workload.workgroups},
          {"invocations", workload.invocations},
          {"bytes_read", workload.bytes_read},
          {"bytes_written", workload.bytes_written}};
}

Json node_json(const PlanNode& node) {
  return {{"id", node.id},
          {"operation", node.operation},
          {"path", node.path},
          {"reason", node.reason},
          {"condition", node.condition},
          {"subgroups", node.uses_subgroups},
          {"deterministic", node.is_deterministic}};
}

Json buffer_json(const PlanBuffer& buffer) {
  Json json = {{"id", buffer.id},
               {"bytes", buffer.bytes},
               {"role", to_string(buffer.role)},
               {"usage", usage_json(buffer.usage)}};
  if (buffer.slot) json["slot"] = *buffer.slot;
  return json;
}

Json slot_json(const PlanSlot& slot) {
  return {{"bytes", slot.bytes}, {"usage", usage_json(slot.usage)}};
}

Json kernel_json(const PlanKernel& kernel) {
  Json bindings = Json::array();
  for (const KernelBinding& binding : kernel.bindings) {
    bindings.push_back({{"binding", binding.binding}, {"access", to_string(binding.access)}});
  }
  Json json = {{"name", kernel.name},
               {"slots", pairs_json(kernel.slots)},
               {"constants", pairs_json(kernel.constants)},
               {"bindings", bindings},
               {"uses_subgroups", kernel.uses_subgroups}};
  if (!kernel.wgsl.empty()) json["wgsl"] = kernel.wgsl;
  return json;
}

Json dispatch_json(const Plan& plan, const PlanDispatch& dispatch) {
  Json json = {{"node", plan.nodes[dispatch.node].id},
               {"kernel", plan.kernels[dispatch.kernel].name},
               {"specialisation", dispatch.kernel},
               {"label", dispatch.label},
               {"shape", dispatch.shape}};
  if (dispatch.indirect) {
    json["indirect"] = {{"buffer", plan.buffers[dispatch.indirect->buffer].id},
                        {"offset", dispatch.indirect->offset}};
  }
  Json bindings = Json::array();
  for (const PlanBinding& binding : dispatch.bindings) {
    bindings.push_back({{"binding", binding.binding},
                        {"buffer", plan.buffers[binding.buffer].id},
                        {"offset", binding.offset},
                        {"bytes", binding.bytes}});
  }
  json["bindings"] = std::move(bindings);
  json["parameters"] = dispatch.parameters;
  json["workload"] = workload_json(dispatch.workload);
  return json;
}

Json pass_json(const Plan& plan, const PlanPass& pass) {
  if (const auto* compute = std::get_if<PlanComputePass>(&pass)) {
    return {{"kind", "compute"}, {"first", compute->first}, {"end", compute->end}};
  }
  if (const auto* copy = std::get_if<PlanCopy>(&pass)) {
    return {{"kind", "copy"},
            {"node", plan.nodes[copy->node].id},
            {"source", plan.buffers[copy->source].id},
            {"source_offset", copy->source_offset},
            {"destination", plan.buffers[copy->destination].id},
            {"destination_offset", copy->destination_offset},
            {"bytes", copy->bytes}};
  }
  const auto& clear = std::get<PlanClear>(pass);
  return {{"kind", "clear"},
          {"node", plan.nodes[clear.node].id},
          {"buffer", plan.buffers[clear.buffer].id},
          {"offset", clear.offset},
          {"bytes", clear.bytes}};
}

Json step_json(const PlanStep& step) {
  return {{"first", step.first}, {"end", step.end}, {"oversized", step.is_oversized}};
}

/// One line. Ids are the user's: bytes that are no UTF-8 are replaced, never fatal.
std::string line(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

/// A list with one item a line.
template <class Items, class ToJson>
void append_list(std::string& text, std::string_view key, const Items& items, ToJson to_json) {
  text += concat(",\n  \"", key, "\": [");
  std::string_view separator = "\n    ";
  for (const auto& item : items) {
    text += concat(separator, line(to_json(item)));
    separator = ",\n    ";
  }
  text += items.empty() ? "]" : "\n  ]";
}

}  // namespace

std::string to_json(const Plan& plan) {
  Json order = Json::array();
  for (const PlanNode& node : plan.nodes)
    order.push_back(node.id);
  std::string text = concat("{\n  \"wgprim_plan\": 1,\n  \"order\": ", line(order));
  append_list(text, "nodes", plan.nodes, node_json);
  append_list(text, "buffers", plan.buffers, buffer_json);
  append_list(text, "slots", plan.slots, slot_json);
  append_list(text, "kernels", plan.kernels, kernel_json);
  append_list(text, "dispatches", plan.dispatches,
              [&](const PlanDispatch& dispatch) { return dispatch_json(plan, dispatch); });
  append_list(text, "passes", plan.passes,
              [&](const PlanPass& pass) { return pass_json(plan, pass); });
  append_list(text, "steps", plan.steps, step_json);
  text += concat(",\n  \"scratch_bytes\": ", plan.scratch_bytes,
                 ",\n  \"scratch_bytes_without_reuse\": ", plan.scratch_bytes_without_reuse,
                 ",\n  \"largest_binding_bytes\": ", plan.largest_binding_bytes,
                 ",\n  \"workload\": ", line(workload_json(plan.workload)), "\n}\n");
  return text;
}

}  // namespace wgprim
