// A buffer whose life the library sees, and the rules by which any buffer is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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

/// All BufferUsage flags at once.
std::uint32_t all_usages();

/// The flags of `wanted` that the WebGPU buffer lacks.
std::uint32_t missing_usage(WGPUBuffer buffer, std::uint32_t wanted);

/// A buffer of `bytes`, rounded up to whole words; at least one.
/// Errors: limit_exceeded, out_of_memory, device_lost.
Result<BufferHandle> create_buffer(Device::State& device, std::uint64_t bytes,
                                   WGPUBufferUsage usage, std::string_view label,
                                   std::uint64_t max_bytes);

/// A new buffer while the host can still write it; unmap it before it is used.
struct MappedBuffer {
  BufferHandle buffer;
  std::span<std::byte> bytes;
};

/// Errors: those of create_buffer.
Result<MappedBuffer> create_mapped_buffer(Device::State& device, std::uint64_t bytes,
                                          WGPUBufferUsage usage, std::string_view label);

/// Errors: a buffer moved from, destroyed, or of another device than `device`.
Result<void> check_owner(const Buffer& buffer, const Device::State& device, std::string_view name);
Result<void> check_owner(WGPUBuffer buffer, Device::State& device, std::string_view name);

/// Errors: those of check_owner, and a buffer that is mapped.
Result<void> check_usable(const Buffer& buffer, Device::State& device, std::string_view name);

/// Error where a submit that uses a caller's buffer would end the process: the buffer belongs to
/// another device, is destroyed, mapped or about to be mapped. Found by writing a word behind its
/// end, which changes nothing: WebGPU finds that out last.
Result<void> check_available(Device::State& device, WGPUBuffer buffer, std::string_view name);

/// check_available for a buffer that came to us unmapped: only one made to be mapped can change.
Result<void> check_unmapped(Device::State& device, WGPUBuffer buffer, std::string_view name);

}  // namespace native
}  // namespace wgprim
