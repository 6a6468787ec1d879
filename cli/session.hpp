// What every verb shares: the global options, opening a device, reporting a failure.
#pragma once

#include <CLI/CLI.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "console.hpp"
#include "wgprim/native.hpp"
#include "wgprim/result.hpp"

namespace wgprim::cli {

/// Options that every verb takes, and the clock of this run.
struct Session {
  bool is_json = false;
  DeviceRequest request;
  /// With --json, what a verb found before it failed: goes out as one object with the error.
  Json findings = Json::object();
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  double wall_ms() const;

  /// Opens the device asked for. Says loudly on stderr when a software adapter is all there is.
  Result<Device> open_device() const;

  /// Limits and capabilities of the adapter asked for, or WebGPU's defaults where none is: what a
  /// plan without a device is made for.
  Result<DeviceProfile> profile_for_planning() const;
};

/// Runs a verb once its options are parsed.
using Verb = std::function<Result<void>(Session&)>;

/// Adds the options that every verb has. `adapter_default` says what the verb does without
/// --adapter.
void add_global_options(CLI::App& verb, Session& session, std::string_view adapter_default);

/// Reports a failure, as JSON on stdout or as a sentence on stderr, and returns the exit status.
int report_error(const Error& error, const Session& session);

}  // namespace wgprim::cli
