// The planner's door for JavaScript: numbers and text in, a plan as JSON out. The text of the last
// answer stays at text_address() until the next call; an answer that is no plan is
// {"error": {"code", "message"}}. Called by the browser's executor and by tests/wasm.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "document/json_reader.hpp"
#include "document/plan_json.hpp"
#include "wgprim/graph.hpp"
#include "wgprim/limits.hpp"

namespace {

std::string answer;

std::size_t give(std::string text) {
  answer = std::move(text);
  return answer.size();
}

std::size_t give_error(const wgprim::Error& error) {
  const wgprim::Json document = {
      {"error", {{"code", wgprim::to_string(error.code)}, {"message", error.message}}}};
  return give(document.dump(-1, ' ', false, wgprim::Json::error_handler_t::replace));
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

wgprim::Result<wgprim::Plan> plan(std::uint64_t rows, bool is_inclusive, bool is_in_place,
                                  std::string_view settings) {
  const auto profile = profile_of(settings);
  if (!profile) return wgprim::pass_on(profile);
  wgprim::ScanOptions options;
  options.mode = is_inclusive ? wgprim::ScanMode::inclusive : wgprim::ScanMode::exclusive;
  options.is_in_place = is_in_place;
  return wgprim::plan_scan(rows, options, *profile);
}

}  // namespace

#define WGPRIM_EXPORT(name) extern "C" __attribute__((export_name(name), used))

WGPRIM_EXPORT("text_address") const char* text_address() { return answer.data(); }

/// Plans one scan over arrays of its own, as wgprim::plan_scan; returns the bytes of the answer.
/// The settings lie in memory that the caller got from malloc.
WGPRIM_EXPORT("plan_scan")
std::size_t plan_scan(std::uint64_t rows, bool is_inclusive, bool is_in_place, const char* settings,
                      std::size_t settings_bytes) {
  const auto planned = plan(rows, is_inclusive, is_in_place, {settings, settings_bytes});
  return planned ? give(to_json(*planned)) : give_error(planned.error());
}
