// Shared ways of the verbs; see the header.
#include "session.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace wgprim::cli {
namespace {

/// The command line's contract: 1 a check failed, 2 usage, input or file, 3 no adapter, 4 the
/// device is lost or out of memory, 5 a fault of our own.
int exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::invalid_view:
    case ErrorCode::invalid_graph:
    case ErrorCode::aliasing:
    case ErrorCode::limit_exceeded:
    case ErrorCode::unsupported:
    case ErrorCode::invalid_file:
    case ErrorCode::io: return 2;
    case ErrorCode::no_adapter: return 3;
    case ErrorCode::device_lost:
    case ErrorCode::out_of_memory: return 4;
    case ErrorCode::verification_failed: return 1;
    case ErrorCode::internal: return 5;
  }
  return 5;
}

}  // namespace

double Session::wall_ms() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

Result<Device> Session::open_device() const {
  auto device = Device::create(request);
  const char* const variable = std::getenv("WGPRIM_ADAPTER");
  const bool is_asked_for = !request.adapter.empty() || (variable != nullptr && *variable != '\0');
  if (device && device->adapter().is_software && !is_asked_for) {
    say(fmt::format("no GPU was found; running on the CPU ({}).", device->adapter().name));
  }
  return device;
}

Result<DeviceProfile> Session::profile_for_planning() const {
  if (!request.adapter.empty()) {
    auto device = open_device();
    if (!device) return pass_on(device);
    return device->profile();
  }
  DeviceProfile profile;
  for (const std::string& limit : request.limits) {
    if (auto ok = lower_limit(profile.limits, limit); !ok) return pass_on(ok);
  }
  for (const std::string& capability : request.capabilities) {
    const auto ok = apply_capability(profile.capabilities, capability, /*has_device=*/false);
    if (!ok) return pass_on(ok);
  }
  return profile;
}

void add_global_options(CLI::App& verb, Session& session, std::string_view adapter_default) {
  verb.add_flag("--json", session.is_json, "Print one JSON object on stdout and nothing else");
  verb.add_option("--adapter", session.request.adapter,
                  fmt::format("Part of an adapter's name, its index, or 'software' (default: {})",
                              adapter_default))
      ->type_name("NAME|INDEX");
  verb.add_option("--limit", session.request.limits,
                  "Lower a WebGPU limit, for example maxBufferSize=1048576")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  verb.add_option("--capability", session.request.capabilities,
                  "subgroups=on|off, timestamps=on|off or subgroup_size=N (which means subgroups)")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
}

int report_error(const Error& error, const Session& session) {
  const int status = exit_status(error.code);
  if (!session.is_json) {
    say(error.message);
    return status;
  }
  Json report = session.findings;
  report["error"] = {{"code", to_string(error.code)}, {"message", error.message}};
  // What cannot be printed is said.
  if (const auto printed = print_json(report); !printed) say(printed.error().message);
  return status;
}

}  // namespace wgprim::cli
