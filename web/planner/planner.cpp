// The planner's door for JavaScript: numbers and text in, a plan as JSON out. The text of the last
// answer stays at text_address() until the next call; an answer that is no plan is
// {"error": {"code", "message"}}. Called by the browser's executor and by tests/wasm.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "document/json_writer.hpp"
#include "wgprim/document.hpp"
#include "wgprim/graph.hpp"
#include "wgprim/limits.hpp"

namespace {

std::string answer;

std::size_t give(std::string text) {
  answer = std::move(text);
  return answer.size();
}

std::size_t give(const wgprim::Result<wgprim::Plan>& plan) {
  if (plan) return give(to_json(*plan));
  std::string text;
  wgprim::JsonWriter::write(text, [&](wgprim::JsonWriter& document) {
    document.object("error", [&](wgprim::JsonWriter& error) {
      error.text("code", to_string(plan.error().code));
      error.text("message", plan.error().message);
    });
  });
  return give(std::move(text));
}

/// One setting a line: "maxBufferSize=1048576" lowers a limit, "subgroups=on" states a capability.
wgprim::Result<wgprim::DeviceProfile> profile_of(std::string_view settings) {
  wgprim::DeviceProfile profile;
  while (!settings.empty()) {
    const std::string_view line = settings.substr(0, settings.find('\n'));
    settings.remove_prefix(line.size() + (line.size() < settings.size() ? 1 : 0));
    if (line.empty()) continue;
    const auto applied = line.starts_with("max")
                             ? wgprim::lower_limit(profile.limits, line)
                             : wgprim::apply_capability(profile.capabilities, line, false);
    if (!applied) return wgprim::pass_on(applied);
  }
  return profile;
}

wgprim::Result<wgprim::Plan> plan_of_scan(std::uint64_t rows, bool is_inclusive, bool is_in_place,
                                          std::string_view settings) {
  const auto profile = profile_of(settings);
  if (!profile) return wgprim::pass_on(profile);
  wgprim::ScanOptions options;
  options.mode = is_inclusive ? wgprim::ScanMode::inclusive : wgprim::ScanMode::exclusive;
  options.is_in_place = is_in_place;
  return wgprim::plan_scan(rows, options, *profile);
}

wgprim::Result<wgprim::Plan> plan_of_graph(std::string_view document, std::string_view settings) {
  const auto profile = profile_of(settings);
  if (!profile) return wgprim::pass_on(profile);
  auto graph = wgprim::graph_from_json(document);
  if (!graph) return wgprim::pass_on(graph);
  return graph->compile(*profile);
}

}  // namespace

#define WGPRIM_EXPORT(name) extern "C" __attribute__((export_name(name), used))

WGPRIM_EXPORT("text_address") const char* text_address() { return answer.data(); }

/// Plans one scan over arrays of its own, as wgprim::plan_scan; returns the bytes of the answer.
/// The settings lie in memory that the caller got from malloc.
WGPRIM_EXPORT("plan_scan")
std::size_t plan_scan(std::uint64_t rows, bool is_inclusive, bool is_in_place, const char* settings,
                      std::size_t settings_bytes) {
  return give(plan_of_scan(rows, is_inclusive, is_in_place, {settings, settings_bytes}));
}

/// Plans a graph, a document as wgprim::graph_from_json reads it, with its kernels' texts inside.
/// Both texts lie in memory that the caller got from malloc.
WGPRIM_EXPORT("plan_graph")
std::size_t plan_graph(const char* document, std::size_t document_bytes, const char* settings,
                       std::size_t settings_bytes) {
  return give(plan_of_graph({document, document_bytes}, {settings, settings_bytes}));
}
