// Reports as JSON; see report.hpp. Keys are those of plans where both say the same thing.
#include "document/json_reader.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/report.hpp"

namespace wgprim {
namespace {

/// Ids are the user's: bytes that are no UTF-8 are replaced, never fatal.
std::string document(const Json& json) {
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

Json totals_json(const BufferTotals& totals) {
  return {{"count", totals.count}, {"bytes", totals.bytes}};
}

Json work_json(const NodeWork& node) {
  return {{"commands", node.commands},
          {"workgroups", node.workload.workgroups},
          {"invocations", node.workload.invocations},
          {"bytes_read", node.workload.bytes_read},
          {"bytes_written", node.workload.bytes_written}};
}

Json node_json(const NodeWork& node) {
  Json json = {{"id", node.id}, {"operation", node.operation}, {"path", node.path}};
  json.update(work_json(node));
  return json;
}

Json exceeded_json(const ExceededLimit& limit) {
  return {{"limit", limit.limit},
          {"allowed", limit.allowed},
          {"needed", limit.needed},
          {"what", limit.what}};
}

Json limits_json(const Limits& limits) {
  Json json = Json::object();
  for (const LimitName& limit : limit_names())
    json[std::string(limit.name)] = limits.*limit.member;
  return json;
}

Json node_json(const Inspector::NodeReport& node) {
  Json json = {{"id", node.id},         {"operation", node.operation}, {"path", node.path},
               {"reason", node.reason}, {"outcome", nullptr},          {"gpu_ns", nullptr},
               {"gpu_ns_p50", nullptr}, {"gpu_ns_p95", nullptr}};
  if (node.outcome) json["outcome"] = to_string(*node.outcome);
  if (node.latest_ns) json["gpu_ns"] = *node.latest_ns;
  if (node.times_ns) {
    json["gpu_ns_p50"] = node.times_ns->median;
    json["gpu_ns_p95"] = node.times_ns->p95;
  }
  return json;
}

template <class Items, class ToJson>
Json list_json(const Items& items, ToJson to_json) {
  Json list = Json::array();
  for (const auto& item : items)
    list.push_back(to_json(item));
  return list;
}

}  // namespace

std::string to_json(const PlanStats& stats) {
  return document({{"order", stats.order},
                   {"imported", totals_json(stats.imported)},
                   {"logical", totals_json(stats.logical)},
                   {"physical", totals_json(stats.physical)},
                   {"saved_bytes", stats.saved_bytes}});
}

std::string to_json(const Preflight& preflight) {
  return document({{"fits", preflight.fits()},
                   {"exceeded", list_json(preflight.exceeded, exceeded_json)},
                   {"largest_buffer_bytes", preflight.largest_buffer_bytes},
                   {"largest_binding_bytes", preflight.largest_binding_bytes},
                   {"total", work_json(preflight.total)},
                   {"nodes", list_json(preflight.nodes,
                                       [](const NodeWork& node) { return node_json(node); })}});
}

std::string to_json(const Inspector& inspector) {
  const Capabilities& capabilities = inspector.capabilities();
  const auto is_software = inspector.is_software();
  return document({{"capabilities",
                    {{"software", is_software ? Json(*is_software) : Json()},
                     {"subgroups", capabilities.subgroups},
                     {"subgroup_size", capabilities.subgroup_size},
                     {"timestamps", capabilities.timestamps}}},
                   {"limits", limits_json(inspector.limits())},
                   {"nodes", list_json(inspector.nodes(), [](const Inspector::NodeReport& node) {
                      return node_json(node);
                    })}});
}

}  // namespace wgprim
