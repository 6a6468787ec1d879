// Reports as JSON and as words; see the header.
#include "one_call_report.hpp"

#include <fmt/format.h>

namespace wgprim::cli {

Json to_json(const ScanReport& report, const Device& device, const Session& session,
             bool is_verified) {
  Json json = {{"adapter", device.adapter().name},
               {"backend", device.adapter().backend},
               {"path", report.path},
               {"reason", report.reason},
               {"subgroups", report.uses_subgroups},
               {"rows", report.rows},
               {"dispatches", report.dispatches},
               {"bytes_read", report.bytes_read},
               {"bytes_written", report.bytes_written},
               {"scratch_bytes", report.scratch_bytes},
               {"gpu_ms", nullptr},
               {"wall_ms", session.wall_ms()},
               {"verified", nullptr},
               {"deterministic", report.is_deterministic}};
  if (report.gpu_ns) json["gpu_ms"] = *report.gpu_ns / 1e6;
  if (is_verified) json["verified"] = true;
  if (report.device_bytes > 0) {
    json["pieces"] = report.pieces;
    json["device_bytes"] = report.device_bytes;
  }
  return json;
}

std::string how_it_went(const ScanReport& report, const Session& session) {
  return fmt::format(
      "path {}, {} dispatch{}{}{}, {:.0f} ms in all", report.path, report.dispatches,
      report.dispatches == 1 ? "" : "es",
      report.pieces == 1 ? "" : fmt::format(" over {} pieces", report.pieces),
      report.gpu_ns ? fmt::format(", {:.3f} ms on the device", *report.gpu_ns / 1e6) : "",
      session.wall_ms());
}

}  // namespace wgprim::cli
