// wgprim info: which adapters there are, which one is taken and why, and what it can do.
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "verbs.hpp"
#include "wgprim/detail/text.hpp"
#include "wgprim/version.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::cli {
namespace {

Json adapter_json(const AdapterInfo& adapter) {
  return {{"index", adapter.index},         {"name", adapter.name},
          {"vendor", adapter.vendor},       {"driver", adapter.driver},
          {"backend", adapter.backend},     {"type", adapter.type},
          {"software", adapter.is_software}};
}

Json limits_json(const Limits& limits) {
  Json json = Json::object();
  for (const LimitName& limit : limit_names()) {
    json[std::string(limit.name)] = limits.*limit.member;
  }
  return json;
}

Json self_test_json(const std::vector<SubgroupSelfTest>& tests) {
  Json json = Json::object();
  for (const SubgroupSelfTest& test : tests)
    json[test.operation] = test.passed ? "passed" : "failed";
  return json;
}

/// The path that each operation takes unless told otherwise.
Json default_paths(const DeviceProfile& profile) {
  constexpr std::uint64_t kRows = 1 << 20;
  const auto path_of = [](const Result<Plan>& plan) {
    return plan ? plan->nodes.front().path : plan.error().message;
  };
  return {{"scan", path_of(plan_scan(kRows, {}, profile))},
          {"reduce", path_of(plan_reduce(kRows, {}, profile))}};
}

Json info_json(const std::vector<AdapterInfo>& adapters, const Device& device,
               const DeviceProfile& profile) {
  Json listed = Json::array();
  for (const AdapterInfo& adapter : adapters)
    listed.push_back(adapter_json(adapter));
  return {{"adapters", listed},
          {"adapter", device.adapter().name},
          {"index", device.adapter().index},
          {"backend", device.adapter().backend},
          {"reason", device.adapter_reason()},
          {"features",
           {{"subgroups", profile.capabilities.subgroups},
            {"timestamps", profile.capabilities.timestamps}}},
          {"subgroup_size", profile.capabilities.subgroup_size},
          {"self_test", self_test_json(device.subgroup_self_tests())},
          {"limits", limits_json(profile.limits)},
          {"versions", {{"wgprim", kVersion}, {"wgpu_native", webgpu_library_version()}}},
          {"default_paths", default_paths(profile)}};
}

std::string to_text(const Json& info) {
  std::string text;
  const auto add = [&]<class... Parts>(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Parts>(parts)...);
  };
  add("wgprim {}, wgpu-native {}\n\nadapters\n", info["versions"]["wgprim"].get<std::string>(),
      info["versions"]["wgpu_native"].get<std::string>());
  for (const Json& adapter : info["adapters"]) {
    const bool is_taken = adapter["index"] == info["index"];
    add("{} {}  {} ({}, {})\n", is_taken ? " *" : "  ", adapter["index"].get<int>(),
        adapter["name"].get<std::string>(), adapter["backend"].get<std::string>(),
        adapter["type"].get<std::string>());
  }
  add("\ntaken: {} ({})\n", info["adapter"].get<std::string>(), info["reason"].get<std::string>());
  const auto yes_no = [](const Json& flag) { return flag.get<bool>() ? "yes" : "no"; };
  add("timestamps: {}\nsubgroups: {}", yes_no(info["features"]["timestamps"]),
      yes_no(info["features"]["subgroups"]));
  if (info["subgroup_size"] != 0) add(", {} lanes", info["subgroup_size"].get<int>());
  add("\n");
  for (const auto& [operation, outcome] : info["self_test"].items()) {
    add("  {}: {}\n", operation, outcome.get<std::string>());
  }
  add("\nlimits\n");
  for (const auto& [name, value] : info["limits"].items()) {
    add("  {:<34} {:>16}\n", name, grouped(value.get<std::uint64_t>()));
  }
  add("\ndefault paths\n");
  for (const auto& [operation, path] : info["default_paths"].items()) {
    add("  {}: {}\n", operation, path.get<std::string>());
  }
  return text;
}

Result<void> run(Session& session) {
  const auto adapters = list_adapters();
  if (!adapters) return pass_on(adapters);
  auto device = session.open_device();
  if (!device) return pass_on(device);
  const auto profile = device->profile();
  if (!profile) return pass_on(profile);
  const Json info = info_json(*adapters, *device, *profile);
  return session.is_json ? print_json(info) : print(to_text(info));
}

}  // namespace

Verb add_info(CLI::App&) { return run; }

}  // namespace wgprim::cli
