// What the planner knows of a device: plain values, so that a plan can be made on a machine without
// any GPU.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wgprim/result.hpp"

namespace wgprim {

/// Bound offsets are rounded down to this many bytes on every device, so that one plan runs on all.
inline constexpr std::uint64_t kBindingAlignment = 256;

/// The WebGPU limits that shape a plan. Sizes in bytes. The defaults are WebGPU's default limits.
struct Limits {
  std::uint64_t max_buffer_size = 268435456;
  std::uint64_t max_storage_buffer_binding_size = 134217728;
  std::uint64_t max_uniform_buffer_binding_size = 65536;
  std::uint64_t max_storage_buffers_per_shader_stage = 8;
  std::uint64_t max_uniform_buffers_per_shader_stage = 12;
  std::uint64_t max_compute_workgroup_storage_size = 16384;
  std::uint64_t max_compute_invocations_per_workgroup = 256;
  std::uint64_t max_compute_workgroup_size_x = 256;
  std::uint64_t max_compute_workgroup_size_y = 256;
  std::uint64_t max_compute_workgroup_size_z = 64;
  std::uint64_t max_compute_workgroups_per_dimension = 65535;
  bool operator==(const Limits&) const = default;
};

/// What a device can do beyond the core of WebGPU.
struct Capabilities {
  bool subgroups = false;           ///< Subgroup operations are offered and pass their self-test.
  std::uint32_t subgroup_size = 0;  ///< As counted by a kernel on the device; 0 where unknown.
  bool timestamps = false;          ///< Passes can be timed on the device.
  bool operator==(const Capabilities&) const = default;
};

/// Everything about a device that a plan may depend on.
struct DeviceProfile {
  Limits limits;
  Capabilities capabilities;
  bool operator==(const DeviceProfile&) const = default;
};

/// One limit under its WebGPU name ("maxBufferSize") and the member that holds it.
struct LimitName {
  std::string_view name;
  std::uint64_t Limits::* member;
};

/// The limits above in the order of their declaration.
const std::vector<LimitName>& limit_names();

/// Applies "maxBufferSize=1048576". Errors: an unknown name, a number that does not parse or is 0,
/// or a value above the present one (a limit can only be lowered).
Result<void> lower_limit(Limits& limits, std::string_view assignment);

/// Applies "subgroups=off", "timestamps=off" or "subgroup_size=8".
/// `subgroup_size=N` (a power of two up to 128) states the size that a planner should assume, and
/// that there are subgroups. `has_device` is false where a plan is made without a device: there all
/// of it is taken on trust. Errors: an unknown name or value; switching on what the device lacks.
Result<void> apply_capability(Capabilities& capabilities, std::string_view assignment,
                              bool has_device);

}  // namespace wgprim
