// The gpu ring's device and buffers; see the header.
#include "support/gpu_fixture.hpp"

#include <cstring>
#include <optional>

#include "native/adapters.hpp"
#include "native/executable_state.hpp"
#include "native/transfer.hpp"

namespace wgprim::testing {
namespace {

Result<Device>& shared_device() {
  static Result<Device> device = Device::create();
  return device;
}

}  // namespace

void GpuTest::SetUp() {
  const auto& device = shared_device();
  if (!device && device.error().code == ErrorCode::no_adapter) {
    GTEST_SKIP() << "no adapter: " << device.error().message;
  }
  ASSERT_TRUE(device) << device.error().message;
}

Device& GpuTest::device() { return *shared_device(); }

Buffer make_buffer(Device& device, std::span<const std::uint32_t> words, std::uint32_t usage) {
  std::vector<std::uint32_t> content(words.begin(), words.end());
  content.resize(content.size() + kCanaryWords, kCanary);
  Buffer buffer = must(device.create_buffer(4 * content.size(), usage, "test"));
  must(device.upload(buffer, 0, std::as_bytes(std::span(content))));
  return buffer;
}

std::vector<std::uint32_t> read_words(Device& device, Buffer& buffer, std::size_t count) {
  std::vector<std::uint32_t> words;
  must(device.download(buffer, 0, 4 * count, [&](std::span<const std::byte> piece) -> Result<void> {
    const std::size_t old = words.size();
    words.resize(old + piece.size() / 4);
    std::memcpy(words.data() + old, piece.data(), piece.size());
    return {};
  }));
  return words;
}

bool has_canaries(Device& device, Buffer& buffer, std::size_t words) {
  const auto content = read_words(device, buffer, words + kCanaryWords);
  for (std::size_t i = words; i < content.size(); ++i) {
    if (content[i] != kCanary) return false;
  }
  return true;
}

void poison_slots(Device& device, const Executable& executable) {
  const auto& state = *executable.state();
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const std::vector<std::uint32_t> poison(state.plan.slots[i].bytes / 4, kPoison);
    must(native::write_buffer(*device.state(), state.slots[i].get(), 0,
                              std::as_bytes(std::span(poison))));
  }
}

void run_once(Device& device, Executable& executable, std::span<const Import> imports,
              std::span<const Parameter> parameters) {
  must(run(device, executable, {.imports = imports, .parameters = parameters}));
}

native::DeviceHandle request_device(std::uint32_t adapter_index,
                                    const WGPUDeviceDescriptor* descriptor) {
  const auto adapters = native::usable_adapters();
  native::DeviceHandle device;
  WGPURequestDeviceCallbackInfo info = WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.userdata1 = &device;
  info.callback = [](WGPURequestDeviceStatus, WGPUDevice made, WGPUStringView, void* userdata,
                     void*) { static_cast<native::DeviceHandle*>(userdata)->reset(made); };
  wgpuAdapterRequestDevice(adapters.at(adapter_index).handle.get(), descriptor, info);
  return device;
}

native::BufferHandle raw_buffer(const Device& device, std::uint64_t bytes, WGPUBufferUsage usage,
                                bool is_mapped) {
  WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
  descriptor.size = bytes;
  descriptor.usage = usage;
  descriptor.mappedAtCreation = is_mapped;
  return native::BufferHandle(wgpuDeviceCreateBuffer(device.handle(), &descriptor));
}

void ask_for_map(WGPUBuffer buffer, WGPUMapMode mode) {
  WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
  info.mode = WGPUCallbackMode_AllowSpontaneous;
  info.callback = [](WGPUMapAsyncStatus, WGPUStringView, void*, void*) {};
  wgpuBufferMapAsync(buffer, mode, 0, 16, info);
}

WGPUCommandEncoder make_encoder(const Device& device) {
  return wgpuDeviceCreateCommandEncoder(device.handle(), nullptr);
}

}  // namespace wgprim::testing
