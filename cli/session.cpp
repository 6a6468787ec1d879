// Shared ways of the verbs; see the header.
#include "session.hpp"

#include <fmt/format.h>

#include <cstdio>
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
  if (device && device->adapter().is_software && request.adapter.empty() &&
      std::getenv("WGPRIM_ADAPTER") == nullptr) {
    fmt::print(stderr, "wgprim: no GPU was found; running on the CPU ({}).\n",
               device->adapter().name);
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

void add_global_options(CLI::App& verb, Session& session) {
  verb.add_flag("--json", session.is_json, "Print one JSON object on stdout and nothing else");
  verb.add_option("--adapter", session.request.adapter,
                  "Part of an adapter's name, its index, or 'software' (default: WGPRIM_ADAPTER, "
                  "else the best GPU)")
      ->type_name("NAME|INDEX");
  verb.add_option("--limit", session.request.limits,
                  "Lower a WebGPU limit, for example maxBufferSize=1048576")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  verb.add_option("--capability", session.request.capabilities,
                  "subgroups=off, timestamps=off or subgroup_size=N")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
}

void print_json(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace));
}

int report_error(const Error& error, bool is_json) {
  if (is_json) {
    print_json({{"error", {{"code", to_string(error.code)}, {"message", error.message}}}});
  } else {
    fmt::print(stderr, "wgprim: {}\n", error.message);
  }
  return exit_status(error.code);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

}  // namespace wgprim::cli
