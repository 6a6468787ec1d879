// Words for the enumerations of the public headers, as the command line, plans and messages use
// them.
#include "wgprim/ops.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"
#include "wgprim/view.hpp"

namespace wgprim {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::invalid_view: return "invalid_view";
    case ErrorCode::invalid_graph: return "invalid_graph";
    case ErrorCode::aliasing: return "aliasing";
    case ErrorCode::limit_exceeded: return "limit_exceeded";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::invalid_file: return "invalid_file";
    case ErrorCode::io: return "io";
    case ErrorCode::no_adapter: return "no_adapter";
    case ErrorCode::device_lost: return "device_lost";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::verification_failed: return "verification_failed";
    case ErrorCode::internal: return "internal";
  }
  return "internal";
}

std::uint64_t row_bytes(Format format) {
  switch (format) {
    case Format::uint32: return 4;
  }
  return 4;
}

const char* to_string(Format format) {
  switch (format) {
    case Format::uint32: return "uint32";
  }
  return "uint32";
}

const char* to_string(ScanMode mode) {
  return mode == ScanMode::inclusive ? "inclusive" : "exclusive";
}

const char* to_string(Path path) { return path == Path::chained ? "chained" : "auto"; }

const char* to_string(Subgroups subgroups) {
  switch (subgroups) {
    case Subgroups::automatic: return "auto";
    case Subgroups::on: return "on";
    case Subgroups::off: return "off";
  }
  return "auto";
}

std::span<const BufferUsageName> buffer_usage_names() {
  static constexpr BufferUsageName kNames[] = {
      {kUsageStorage, "storage"},        {kUsageUniform, "uniform"},
      {kUsageCopySource, "copy-source"}, {kUsageCopyDestination, "copy-destination"},
      {kUsageIndirect, "indirect"},
  };
  return kNames;
}

const char* to_string(BufferRole role) {
  switch (role) {
    case BufferRole::imported: return "imported";
    case BufferRole::transient: return "transient";
    case BufferRole::state: return "state";
  }
  return "imported";
}

const char* to_string(Access access) {
  switch (access) {
    case Access::storage_read: return "storage-read";
    case Access::storage_read_write: return "storage-read-write";
    case Access::uniform: return "uniform";
    case Access::parameters: return "parameters";
  }
  return "storage-read";
}

}  // namespace wgprim
