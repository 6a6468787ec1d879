// The planner's door for JavaScript: numbers and text in, a plan as JSON out. The text of the last
// answer stays at text_address() until the next call; an answer that is no plan is
// {"error": {"code", "message"}}. Called by the browser's executor and by tests/wasm.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document/json_writer.hpp"
#include "wgprim/budget.hpp"
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

constexpr std::string_view kBudgetPrefix = "budget.";

struct Settings {
  wgprim::DeviceProfile profile;
  std::optional<wgprim::Budget> budget;
};

wgprim::Result<void> apply_setting(Settings& settings, std::string_view line) {
  if (line.starts_with("max")) return wgprim::lower_limit(settings.profile.limits, line);
  if (!line.starts_with(kBudgetPrefix)) {
    return wgprim::apply_capability(settings.profile.capabilities, line, false);
  }
  if (!settings.budget) settings.budget.emplace();
  return wgprim::set_bound(*settings.budget, line.substr(kBudgetPrefix.size()));
}

/// One setting a line: "maxBufferSize=1048576" lowers a limit, "subgroups=on" states a capability,
/// "budget.invocations=65536" is a bound on each step.
wgprim::Result<Settings> read_settings(std::string_view lines) {
  Settings settings;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(line.size() + (line.size() < lines.size() ? 1 : 0));
    if (line.empty()) continue;
    if (const auto ok = apply_setting(settings, line); !ok) return wgprim::pass_on(ok);
  }
  return settings;
}

/// Plans by `plan_for(profile)`, in steps where the settings hold a budget.
template <class PlanFor>
wgprim::Result<wgprim::Plan> plan_with(std::string_view lines, PlanFor plan_for) {
  const auto settings = read_settings(lines);
  if (!settings) return wgprim::pass_on(settings);
  wgprim::Result<wgprim::Plan> plan = plan_for(settings->profile);
  if (!plan || !settings->budget) return plan;
  const auto ok = wgprim::apply_budget(*plan, *settings->budget);
  return ok ? std::move(plan) : wgprim::pass_on(ok);
}

}  // namespace

#define WGPRIM_EXPORT(name) extern "C" __attribute__((export_name(name), used))

WGPRIM_EXPORT("text_address") const char* text_address() { return answer.data(); }

/// Plans one scan over arrays of its own, as wgprim::plan_scan; returns the bytes of the answer.
/// The settings lie in memory that the caller got from malloc.
WGPRIM_EXPORT("plan_scan")
std::size_t plan_scan(std::uint64_t rows, bool is_inclusive, bool is_in_place, const char* settings,
                      std::size_t settings_bytes) {
  return give(plan_with({settings, settings_bytes}, [&](const wgprim::DeviceProfile& profile) {
    wgprim::ScanOptions options;
    options.mode = is_inclusive ? wgprim::ScanMode::inclusive : wgprim::ScanMode::exclusive;
    options.is_in_place = is_in_place;
    return wgprim::plan_scan(rows, options, profile);
  }));
}

/// Plans a graph, a document as wgprim::graph_from_json reads it, with its kernels' texts inside.
/// Both texts lie in memory that the caller got from malloc.
WGPRIM_EXPORT("plan_graph")
std::size_t plan_graph(const char* document, std::size_t document_bytes, const char* settings,
                       std::size_t settings_bytes) {
  return give(plan_with({settings, settings_bytes},
                        [&](const wgprim::DeviceProfile& profile) -> wgprim::Result<wgprim::Plan> {
                          auto graph = wgprim::graph_from_json({document, document_bytes});
                          return graph ? graph->compile(profile) : wgprim::pass_on(graph);
                        }));
}
