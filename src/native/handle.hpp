// Owning handles over the reference-counted objects of webgpu.h: released once, never null-released
// (a null release ends the process in wgpu-native). Used by everything in src/native.
#pragma once

#include <webgpu.h>

#include <string_view>
#include <utility>

namespace wgprim::native {

template <class Handle, void (*kRelease)(Handle)>
class UniqueHandle {
 public:
  UniqueHandle() = default;
  /// Takes over the reference that a wgpu*Create or wgpu*Get call returned.
  explicit UniqueHandle(Handle handle) : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    if (this != &other) reset(std::exchange(other.handle_, nullptr));
    return *this;
  }
  UniqueHandle(const UniqueHandle&) = delete;
  UniqueHandle& operator=(const UniqueHandle&) = delete;
  ~UniqueHandle() { reset(); }

  void reset(Handle handle = nullptr) {
    if (Handle old = std::exchange(handle_, handle)) kRelease(old);
  }
  /// Gives the reference away; nobody releases it then.
  Handle leak() { return std::exchange(handle_, nullptr); }

  Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  Handle handle_ = nullptr;
};

using AdapterHandle = UniqueHandle<WGPUAdapter, wgpuAdapterRelease>;
using BindGroupHandle = UniqueHandle<WGPUBindGroup, wgpuBindGroupRelease>;
using BindGroupLayoutHandle = UniqueHandle<WGPUBindGroupLayout, wgpuBindGroupLayoutRelease>;
using BufferHandle = UniqueHandle<WGPUBuffer, wgpuBufferRelease>;
using CommandBufferHandle = UniqueHandle<WGPUCommandBuffer, wgpuCommandBufferRelease>;
using CommandEncoderHandle = UniqueHandle<WGPUCommandEncoder, wgpuCommandEncoderRelease>;
using ComputePassHandle = UniqueHandle<WGPUComputePassEncoder, wgpuComputePassEncoderRelease>;
using ComputePipelineHandle = UniqueHandle<WGPUComputePipeline, wgpuComputePipelineRelease>;
using DeviceHandle = UniqueHandle<WGPUDevice, wgpuDeviceRelease>;
using PipelineLayoutHandle = UniqueHandle<WGPUPipelineLayout, wgpuPipelineLayoutRelease>;
using QuerySetHandle = UniqueHandle<WGPUQuerySet, wgpuQuerySetRelease>;
using QueueHandle = UniqueHandle<WGPUQueue, wgpuQueueRelease>;
using ShaderModuleHandle = UniqueHandle<WGPUShaderModule, wgpuShaderModuleRelease>;

inline WGPUStringView to_webgpu(std::string_view text) { return {text.data(), text.size()}; }

/// A null view (the "undefined" string) gives empty text.
inline std::string_view from_webgpu(WGPUStringView text) {
  if (text.data == nullptr) return {};
  if (text.length == WGPU_STRLEN) return text.data;
  return {text.data, text.length};
}

}  // namespace wgprim::native
