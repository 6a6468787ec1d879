// The device that the gpu ring runs on, chosen from outside (WGPRIM_ADAPTER, VK_DRIVER_FILES), and
// buffers with canaries. A machine without adapter skips every test, by name.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim::testing {

inline constexpr std::uint32_t kCanary = 0xCA9A27u;
inline constexpr std::uint32_t kPoison = 0xDEADBEEFu;

class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override;

  /// One device for the whole process: opening one costs more than most tests.
  static Device& device();
};

/// Fails the test with the error's message.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// A test's buffer: the words given, then canaries.
inline constexpr std::size_t kCanaryWords = 64;
Buffer make_buffer(Device& device, std::span<const std::uint32_t> words,
                   std::uint32_t usage = kUsageStorage | kUsageCopySource | kUsageCopyDestination);

/// `count` words from the start of the buffer.
std::vector<std::uint32_t> read_words(Device& device, Buffer& buffer, std::size_t count);

/// What make_buffer put behind the words, as the device has it now.
bool has_canaries(Device& device, Buffer& buffer, std::size_t words);

/// Fills every slot of the executable's scratch with kPoison.
void poison_slots(Device& device, const Executable& executable);

/// Encodes once, submits, waits.
void run_once(Device& device, Executable& executable, std::span<const Import> imports,
              std::span<const Parameter> parameters = {});

/// A device of the caller's own on an adapter. From null: WebGPU's default limits, no features, and
/// no callback between a mistake and the end of the process.
native::DeviceHandle request_device(std::uint32_t adapter_index,
                                    const WGPUDeviceDescriptor* descriptor = nullptr);

/// A buffer of the caller's own.
native::BufferHandle raw_buffer(const Device& device, std::uint64_t bytes, WGPUBufferUsage usage,
                                bool is_mapped = false);

/// Asks for the first 16 bytes to be mapped; a poll makes it so.
void ask_for_map(WGPUBuffer buffer, WGPUMapMode mode);

/// An encoder of the device that the test must submit or release.
WGPUCommandEncoder make_encoder(const Device& device);

}  // namespace wgprim::testing
