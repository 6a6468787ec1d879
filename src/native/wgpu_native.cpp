// The one file that includes wgpu.h. Called by adapters, device, waits and the timer.
#include "native/wgpu_native.hpp"

#include <wgpu.h>

#include "wgprim/native.hpp"

namespace wgprim::native {

const WGPUFeatureName kSubgroupFeature = static_cast<WGPUFeatureName>(WGPUNativeFeature_Subgroup);

namespace {

WGPUInstance create_instance() {
  WGPUInstanceExtras extras{
      .chain = {.next = nullptr, .sType = static_cast<WGPUSType>(WGPUSType_InstanceExtras)}};
  // Said explicitly: with no flags, indirect counts beyond the device's limits would be run.
  extras.flags = WGPUInstanceFlag_Default;
  // Not OpenGL: there a submit runs the work itself, so a kernel that never ends would hang it.
  extras.backends = WGPUInstanceBackend_Primary;
  WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
  descriptor.nextInChain = &extras.chain;
  return wgpuCreateInstance(&descriptor);
}

}  // namespace

WGPUInstance instance() {
  static const WGPUInstance kept = create_instance();
  return kept;
}

std::vector<AdapterHandle> enumerate_adapters() {
  std::vector<WGPUAdapter> found(wgpuInstanceEnumerateAdapters(instance(), nullptr, nullptr));
  if (found.empty()) return {};
  wgpuInstanceEnumerateAdapters(instance(), nullptr, found.data());
  std::vector<AdapterHandle> adapters;
  adapters.reserve(found.size());
  for (WGPUAdapter adapter : found)
    adapters.emplace_back(adapter);
  return adapters;
}

bool poll(WGPUDevice device) {
  // The upper 24 bits of the result are garbage.
  return (wgpuDevicePoll(device, false, nullptr) & 0xffu) != 0;
}

double timestamp_period(WGPUQueue queue) {
  return static_cast<double>(wgpuQueueGetTimestampPeriod(queue));
}

}  // namespace wgprim::native

namespace wgprim {

std::string webgpu_library_version() {
  const std::uint32_t version = wgpuGetVersion();
  std::string text = std::to_string(version >> 24);
  for (int shift = 16; shift >= 0; shift -= 8) {
    text += "." + std::to_string((version >> shift) & 0xffu);
  }
  return text;
}

}  // namespace wgprim
