// Words for the enumerations of the public headers, as the command line, plans and messages use
// them.
#include "wgprim/detail/text.hpp"
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

std::span<const Format> formats() {
  static constexpr Format kFormats[] = {Format::uint32,   Format::int32,   Format::float32,
                                        Format::uint64,   Format::int64,   Format::uint32x2,
                                        Format::uint32x3, Format::uint32x4};
  return kFormats;
}

std::uint64_t row_bytes(Format format) {
  switch (format) {
    case Format::uint32:
    case Format::int32:
    case Format::float32: return 4;
    case Format::uint64:
    case Format::int64:
    case Format::uint32x2: return 8;
    case Format::uint32x3: return 12;
    case Format::uint32x4: return 16;
  }
  return 4;
}

const char* to_string(Format format) {
  switch (format) {
    case Format::uint32: return "uint32";
    case Format::int32: return "int32";
    case Format::float32: return "float32";
    case Format::uint64: return "uint64";
    case Format::int64: return "int64";
    case Format::uint32x2: return "uint32x2";
    case Format::uint32x3: return "uint32x3";
    case Format::uint32x4: return "uint32x4";
  }
  return "uint32";
}

std::span<const Use> uses() {
  static constexpr Use kUses[] = {Use::storage_read, Use::storage_write, Use::storage_read_write,
                                  Use::uniform,      Use::copy_source,   Use::copy_destination,
                                  Use::indirect,     Use::vertex,        Use::index};
  return kUses;
}

const char* to_string(Use use) {
  switch (use) {
    case Use::storage_read: return "storage-read";
    case Use::storage_write: return "storage-write";
    case Use::storage_read_write: return "storage-read-write";
    case Use::uniform: return "uniform";
    case Use::copy_source: return "copy-source";
    case Use::copy_destination: return "copy-destination";
    case Use::indirect: return "indirect";
    case Use::vertex: return "vertex";
    case Use::index: return "index";
  }
  return "storage-read";
}

const char* to_string(ScanMode mode) {
  return mode == ScanMode::inclusive ? "inclusive" : "exclusive";
}

const char* to_string(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::sum: return "sum";
    case OperatorKind::min: return "min";
    case OperatorKind::max: return "max";
    case OperatorKind::custom: return "custom";
  }
  return "sum";
}

const char* to_string(Path path) {
  switch (path) {
    case Path::automatic: return "auto";
    case Path::chained: return "chained";
    case Path::reduce_then_scan: return "reduce-then-scan";
  }
  return "auto";
}

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
      {kUsageStorage, "storage"},
      {kUsageUniform, "uniform"},
      {kUsageCopySource, "copy-source"},
      {kUsageCopyDestination, "copy-destination"},
      {kUsageIndirect, "indirect"},
      {kUsageVertex, "vertex"},
      {kUsageIndex, "index"},
  };
  return kNames;
}

std::string usage_names(std::uint32_t usage) {
  std::string names;
  for (const auto& [flag, name] : buffer_usage_names()) {
    if ((usage & flag) != 0) names += concat(names.empty() ? "" : " and ", name);
  }
  return names;
}

const char* to_string(BufferRole role) {
  switch (role) {
    case BufferRole::imported: return "imported";
    case BufferRole::transient: return "transient";
    case BufferRole::state: return "state";
    case BufferRole::constant: return "constant";
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
