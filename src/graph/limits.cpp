// Limits and capabilities by name: what --limit and --capability give.
#include "wgprim/limits.hpp"

#include <bit>

#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

std::string known_names() {
  std::string names;
  for (const auto& limit : limit_names())
    names += concat(names.empty() ? "" : ", ", limit.name);
  return names;
}

Result<void> switch_capability(bool& capability, std::string_view name, std::string_view value,
                               bool has_device) {
  if (value != "on" && value != "off") {
    return fail(ErrorCode::invalid_argument,
                concat("Capability '", name, "' is given as '", value, "' (on or off)."));
  }
  if (value == "on" && has_device && !capability) {
    return fail(ErrorCode::unsupported, concat("The device does not offer '", name, "'."));
  }
  capability = value == "on";
  return {};
}

}  // namespace

const std::vector<LimitName>& limit_names() {
  static const std::vector<LimitName> names = {
      {"maxBufferSize", &Limits::max_buffer_size},
      {"maxStorageBufferBindingSize", &Limits::max_storage_buffer_binding_size},
      {"maxUniformBufferBindingSize", &Limits::max_uniform_buffer_binding_size},
      {"maxStorageBuffersPerShaderStage", &Limits::max_storage_buffers_per_shader_stage},
      {"maxUniformBuffersPerShaderStage", &Limits::max_uniform_buffers_per_shader_stage},
      {"maxComputeWorkgroupStorageSize", &Limits::max_compute_workgroup_storage_size},
      {"maxComputeInvocationsPerWorkgroup", &Limits::max_compute_invocations_per_workgroup},
      {"maxComputeWorkgroupSizeX", &Limits::max_compute_workgroup_size_x},
      {"maxComputeWorkgroupSizeY", &Limits::max_compute_workgroup_size_y},
      {"maxComputeWorkgroupSizeZ", &Limits::max_compute_workgroup_size_z},
      {"maxComputeWorkgroupsPerDimension", &Limits::max_compute_workgroups_per_dimension},
  };
  return names;
}

Result<void> lower_limit(Limits& limits, std::string_view assignment) {
  const auto [name, text] = split_assignment(assignment);
  for (const auto& limit : limit_names()) {
    if (limit.name != name) continue;
    const auto value = parse_number<std::uint64_t>(text);
    if (!value || *value == 0) {
      return fail(ErrorCode::invalid_argument,
                  concat("Limit '", name, "' is given as '", text, "' (a positive number)."));
    }
    if (*value > limits.*limit.member) {
      return fail(ErrorCode::invalid_argument,
                  concat("Limit '", name, "' is given as ", *value, ", above what there is (",
                         limits.*limit.member, "); a limit can only be lowered."));
    }
    limits.*limit.member = *value;
    return {};
  }
  return fail(ErrorCode::invalid_argument,
              concat("There is no limit '", name, "' (", known_names(), ")."));
}

Result<void> apply_capability(Capabilities& capabilities, std::string_view assignment,
                              bool has_device) {
  const auto [name, value] = split_assignment(assignment);
  if (name == "subgroups") {
    return switch_capability(capabilities.subgroups, name, value, has_device);
  }
  if (name == "timestamps") {
    return switch_capability(capabilities.timestamps, name, value, has_device);
  }
  if (name == "subgroup_size") {
    const auto size = parse_number<std::uint64_t>(value);
    if (!size || !std::has_single_bit(*size) || *size > 128) {
      return fail(ErrorCode::invalid_argument, concat("Capability 'subgroup_size' is given as '",
                                                      value, "' (a power of two up to 128)."));
    }
    if (has_device && !capabilities.subgroups) {
      return fail(ErrorCode::unsupported, "The device does not offer 'subgroups'.");
    }
    capabilities.subgroups = true;
    capabilities.subgroup_size = static_cast<std::uint32_t>(*size);
    return {};
  }
  return fail(ErrorCode::invalid_argument, concat("There is no capability '", name,
                                                  "' (subgroups, timestamps, subgroup_size)."));
}

}  // namespace wgprim
