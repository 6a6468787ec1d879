// A buffer whose life the library sees, and the rules by which any buffer is used.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "native/device_state.hpp"
#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

struct Buffer::State {
  State(std::shared_ptr<Device::State> owner, native::BufferHandle owned);
  ~State() { destroy(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// The Buffer of a new state.
  static Buffer create(std::shared_ptr<Device::State> owner, native::BufferHandle owned);

  /// Gives up the memory: drops the bind groups that hold the buffer and the reference to it.
  void destroy();

  std::shared_ptr<Device::State> device;
  native::BufferHandle handle;  ///< Null once destroyed.
  std::uint64_t bytes;
  std::uint64_t serial;  ///< Never reused within a device.
};

namespace native {

/// The WebGPU flags of BufferUsage flags.
WGPUBufferUsage to_webgpu_usage(std::uint32_t usage);

/// "storage and indirect" for messages.
std::string usage_names(std::uint32_t usage);

/// The flags of `wanted` that the WebGPU buffer lacks.
std::uint32_t missing_usage(WGPUBuffer buffer, std::uint32_t wanted);

/// A buffer of the library or of a caller, under an error scope.
/// Errors: limit_exceeded, out_of_memory, device_lost.
Result<BufferHandle> create_buffer(Device::State& device, std::uint64_t bytes,
                                   WGPUBufferUsage usage, std::string_view label,
                                   std::uint64_t max_bytes);

/// Errors: a buffer moved from or destroyed, or of another device than `device`.
Result<void> check_usable(const Buffer& buffer, const Device::State& device, std::string_view name);

/// Error where a buffer of the caller belongs to another device. Found by a write of nothing.
Result<void> check_same_device(Device::State& device, WGPUBuffer buffer, std::string_view name);

/// Error where a mappable buffer is mapped or about to be: submitting it would end the process.
/// Found by asking for a map of nothing, which is taken back at once.
Result<void> check_unmapped(Device::State& device, WGPUBuffer buffer, std::string_view name);

}  // namespace native
}  // namespace wgprim
