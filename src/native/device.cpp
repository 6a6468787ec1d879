// Opens and adopts devices. The long parts of Device's work lie in work.cpp, transfer.cpp and
// subgroup_probe.cpp.
#include <cstdlib>

#include "native/adapters.hpp"
#include "native/device_state.hpp"
#include "native/error_scope.hpp"
#include "native/subgroup_probe.hpp"
#include "native/transfer.hpp"
#include "native/wgpu_native.hpp"
#include "native/work.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

using native::from_webgpu;

struct RequestedAdapter {
  std::string name;
  const char* source;
};

RequestedAdapter requested_adapter(const DeviceRequest& request) {
  if (!request.adapter.empty()) return {request.adapter, "the caller"};
  const char* variable = std::getenv("WGPRIM_ADAPTER");
  return {variable == nullptr ? "" : variable, "WGPRIM_ADAPTER"};
}

Limits to_limits(const WGPULimits& raw) {
  return {.max_buffer_size = raw.maxBufferSize,
          .max_storage_buffer_binding_size = raw.maxStorageBufferBindingSize,
          .max_uniform_buffer_binding_size = raw.maxUniformBufferBindingSize,
          .max_storage_buffers_per_shader_stage = raw.maxStorageBuffersPerShaderStage,
          .max_uniform_buffers_per_shader_stage = raw.maxUniformBuffersPerShaderStage,
          .max_compute_workgroup_storage_size = raw.maxComputeWorkgroupStorageSize,
          .max_compute_invocations_per_workgroup = raw.maxComputeInvocationsPerWorkgroup,
          .max_compute_workgroup_size_x = raw.maxComputeWorkgroupSizeX,
          .max_compute_workgroup_size_y = raw.maxComputeWorkgroupSizeY,
          .max_compute_workgroup_size_z = raw.maxComputeWorkgroupSizeZ,
          .max_compute_workgroups_per_dimension = raw.maxComputeWorkgroupsPerDimension};
}

/// Lowers what shapes a workgroup on the device itself too, so that it refuses kernels beyond it.
/// Sizes of buffers are not lowered there: the library's own buffers need theirs.
WGPULimits device_limits(WGPUAdapter adapter, const Limits& lowered) {
  WGPULimits limits = WGPU_LIMITS_INIT;
  wgpuAdapterGetLimits(adapter, &limits);
  limits.minStorageBufferOffsetAlignment = kBindingAlignment;
  limits.maxComputeInvocationsPerWorkgroup =
      static_cast<std::uint32_t>(lowered.max_compute_invocations_per_workgroup);
  limits.maxComputeWorkgroupSizeX =
      static_cast<std::uint32_t>(lowered.max_compute_workgroup_size_x);
  limits.maxComputeWorkgroupSizeY =
      static_cast<std::uint32_t>(lowered.max_compute_workgroup_size_y);
  limits.maxComputeWorkgroupSizeZ =
      static_cast<std::uint32_t>(lowered.max_compute_workgroup_size_z);
  limits.maxComputeWorkgroupsPerDimension =
      static_cast<std::uint32_t>(lowered.max_compute_workgroups_per_dimension);
  return limits;
}

Result<Limits> lowered_limits(WGPUAdapter adapter, const std::vector<std::string>& requests) {
  WGPULimits raw = WGPU_LIMITS_INIT;
  wgpuAdapterGetLimits(adapter, &raw);
  Limits limits = to_limits(raw);
  for (const std::string& request : requests) {
    if (const auto lowered = lower_limit(limits, request); !lowered) return pass_on(lowered);
  }
  return limits;
}

void note_lost(WGPUDevice const* device, WGPUDeviceLostReason, WGPUStringView message, void*,
               void*) {
  if (device == nullptr) return;
  if (const auto state = Device::State::find(*device)) {
    state->lose(concat("WebGPU reports '", from_webgpu(message), "'"));
  }
}

void note_uncaptured(WGPUDevice const* device, WGPUErrorType, WGPUStringView message, void*,
                     void*) {
  if (device == nullptr) return;
  if (const auto state = Device::State::find(*device)) {
    const std::lock_guard lock(state->messages_mutex);
    if (!state->uncaptured_error) {
      state->uncaptured_error = native::plain_text(from_webgpu(message));
    }
  }
}

/// What the adapter offers less what the request switches off.
Result<Capabilities> allowed_capabilities(WGPUAdapter adapter, const DeviceRequest& request) {
  Capabilities allowed;
  allowed.subgroups = wgpuAdapterHasFeature(adapter, native::kSubgroupFeature);
  allowed.timestamps = wgpuAdapterHasFeature(adapter, WGPUFeatureName_TimestampQuery);
  for (const std::string& capability : request.capabilities) {
    const auto applied = apply_capability(allowed, capability, true);
    if (!applied) return pass_on(applied);
  }
  return allowed;
}

/// A feature that is switched off is not asked for, so that no kernel can use it all the same.
std::vector<WGPUFeatureName> features_of(const Capabilities& allowed) {
  std::vector<WGPUFeatureName> features;
  if (allowed.subgroups) features.push_back(native::kSubgroupFeature);
  if (allowed.timestamps) features.push_back(WGPUFeatureName_TimestampQuery);
  return features;
}

struct DeviceAnswer {
  native::DeviceHandle device;
  std::string message;
};

Result<native::DeviceHandle> request_device(const native::Adapter& adapter, const Limits& lowered,
                                            const Capabilities& allowed) {
  const std::vector<WGPUFeatureName> features = features_of(allowed);
  const WGPULimits limits = device_limits(adapter.handle.get(), lowered);
  WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
  descriptor.label = native::to_webgpu("wgprim");
  descriptor.requiredFeatureCount = features.size();
  descriptor.requiredFeatures = features.data();
  descriptor.requiredLimits = &limits;
  descriptor.deviceLostCallbackInfo.mode = WGPUCallbackMode_AllowSpontaneous;
  descriptor.deviceLostCallbackInfo.callback = note_lost;
  descriptor.uncapturedErrorCallbackInfo.callback = note_uncaptured;
  DeviceAnswer answer;
  WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.userdata1 = &answer;
  info.callback = [](WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView message,
                     void* userdata, void*) {
    auto& out = *static_cast<DeviceAnswer*>(userdata);
    out.device.reset(device);
    out.message = from_webgpu(message);
  };
  wgpuAdapterRequestDevice(adapter.handle.get(), &descriptor, info);  // Answers before it returns.
  if (answer.device) return std::move(answer.device);
  return fail(ErrorCode::no_adapter, concat("Adapter '", adapter.info.name, "' gives no device: ",
                                            native::plain_text(answer.message)));
}

Result<void> check_time_out(std::chrono::milliseconds time_out) {
  if (time_out.count() > 0) return {};
  return fail(ErrorCode::invalid_argument,
              concat("The time-out of ", time_out.count(), " ms is not positive."));
}

/// Reads what the device itself offers; a request may have lowered it further.
void read_features(Device::State& state) {
  WGPULimits raw = WGPU_LIMITS_INIT;
  wgpuDeviceGetLimits(state.device.get(), &raw);
  state.limits = state.device_limits = to_limits(raw);
  state.allowed.subgroups = wgpuDeviceHasFeature(state.device.get(), native::kSubgroupFeature);
  state.allowed.timestamps =
      wgpuDeviceHasFeature(state.device.get(), WGPUFeatureName_TimestampQuery);
}

}  // namespace

Result<Device> Device::create(const DeviceRequest& request) {
  if (const auto checked = check_time_out(request.time_out); !checked) return pass_on(checked);
  const std::vector<native::Adapter> adapters = native::usable_adapters();
  std::vector<AdapterInfo> infos;
  infos.reserve(adapters.size());
  for (const native::Adapter& adapter : adapters)
    infos.push_back(adapter.info);
  const RequestedAdapter requested = requested_adapter(request);
  auto choice = native::choose_adapter(infos, requested.name, requested.source);
  if (!choice) return pass_on(choice);
  const native::Adapter& adapter = adapters[choice->index];

  const auto limits = lowered_limits(adapter.handle.get(), request.limits);
  if (!limits) return pass_on(limits);
  const auto allowed = allowed_capabilities(adapter.handle.get(), request);
  if (!allowed) return pass_on(allowed);
  auto device = request_device(adapter, *limits, *allowed);
  if (!device) return pass_on(device);

  auto state = std::make_shared<State>(std::move(*device), request.time_out);
  read_features(*state);
  state->limits = *limits;
  state->allowed = *allowed;
  state->adapter = adapter.info;
  state->adapter_reason = std::move(choice->reason);
  state->capability_requests = request.capabilities;
  return Device(state->enter_registry());
}

Result<Device> Device::adopt(WGPUDevice device, std::chrono::milliseconds time_out) {
  if (device == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null WGPUDevice cannot be adopted.");
  }
  if (const auto checked = check_time_out(time_out); !checked) return pass_on(checked);
  wgpuDeviceAddRef(device);
  auto state = std::make_shared<State>(native::DeviceHandle(device), time_out);
  read_features(*state);
  state->adapter.name = "adopted device";
  state->adapter.backend = state->adapter.type = "unknown";
  state->adapter_reason = "the caller's own device";
  return Device(state->enter_registry());
}

const AdapterInfo& Device::adapter() const { return state_->adapter; }
const std::string& Device::adapter_reason() const { return state_->adapter_reason; }
std::vector<SubgroupSelfTest> Device::subgroup_self_tests() const {
  const std::lock_guard lock(state_->profile_mutex);
  return state_->subgroup_self_tests;
}
bool Device::is_lost() const { return state_->is_lost; }
WGPUDevice Device::handle() const { return state_->device.get(); }
WGPUQueue Device::queue() const { return state_->queue.get(); }

CreationCounts Device::creation_counts() const {
  return {state_->pipelines_created, state_->bind_groups_created, state_->buffers_created};
}

std::optional<std::string> Device::take_uncaptured_error() {
  const std::lock_guard lock(state_->messages_mutex);
  return std::exchange(state_->uncaptured_error, std::nullopt);
}

Result<DeviceProfile> Device::profile() {
  const std::lock_guard lock(state_->profile_mutex);
  if (state_->profile) return *state_->profile;
  DeviceProfile profile{state_->limits, state_->allowed};
  if (profile.capabilities.subgroups) {
    auto probe = native::probe_subgroups(*this);
    if (!probe) return pass_on(probe);
    state_->subgroup_self_tests = std::move(probe->tests);
    profile.capabilities.subgroups = probe->all_passed;
    profile.capabilities.subgroup_size = probe->all_passed ? probe->subgroup_size : 0;
  }
  for (const std::string& request : state_->capability_requests) {
    const auto applied = apply_capability(profile.capabilities, request, true);
    if (!applied) return pass_on(applied);
  }
  state_->profile = profile;
  return profile;
}

Result<void> Device::upload(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                            const std::function<void(std::uint64_t)>& progress) {
  return native::upload(*state_, buffer, offset, bytes, progress);
}

Result<void> Device::download(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes,
                              const Sink& sink) {
  return native::download(*state_, buffer, offset, bytes, sink);
}

Result<void> Device::submit_and_wait(WGPUCommandEncoder encoder, std::uint64_t bytes) {
  if (encoder == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null command encoder cannot be submitted.");
  }
  const native::CommandEncoderHandle consumed(encoder);
  if (const auto alive = state_->check_alive(); !alive) return alive;
  return native::submit_and_wait(*state_, encoder, bytes);
}

}  // namespace wgprim
