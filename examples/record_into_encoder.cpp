// A scan among the caller's own commands: on a device made with plain webgpu.h, in an encoder that
// also holds the caller's copies before and after it. The library records; it never submits.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "wgprim/wgprim.hpp"

namespace {

constexpr std::size_t kRows = 100'000;
constexpr std::size_t kBytes = 4 * kRows;

/// Where the answer of a request goes; wgpu-native gives it before the request returns.
template <class CallbackInfo, class Object>
CallbackInfo into(Object& place) {
  const auto store = [](auto, auto it, auto, void* to, void*) { *static_cast<Object*>(to) = it; };
  return {.mode = WGPUCallbackMode_AllowSpontaneous,
          .callback = store,
          .userdata1 = static_cast<void*>(&place)};
}

WGPUDevice open_device(WGPUInstance instance) {
  WGPUAdapter adapter = nullptr;
  wgpuInstanceRequestAdapter(instance, nullptr, into<WGPURequestAdapterCallbackInfo>(adapter));
  if (adapter == nullptr) return nullptr;
  WGPUDevice device = nullptr;
  wgpuAdapterRequestDevice(adapter, nullptr, into<WGPURequestDeviceCallbackInfo>(device));
  return device;
}

WGPUBuffer create_buffer(WGPUDevice device, WGPUBufferUsage usage) {
  const WGPUBufferDescriptor wanted = {.usage = usage | WGPUBufferUsage_CopyDst, .size = kBytes};
  return wgpuDeviceCreateBuffer(device, &wanted);
}

int give_up(const wgprim::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  const WGPUDevice own = open_device(wgpuCreateInstance(nullptr));
  auto device = wgprim::Device::adopt(own);
  if (!device) return give_up(device.error());
  auto scan = wgprim::compile_scan(*device, kRows);  // Once; encoded as often as wanted.
  if (!scan) return give_up(scan.error());

  const WGPUBuffer data = create_buffer(own, WGPUBufferUsage_CopySrc);
  const WGPUBuffer input = create_buffer(own, WGPUBufferUsage_Storage);
  const WGPUBuffer output = create_buffer(own, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc);
  std::vector<std::uint32_t> rows(kRows, 3);
  wgpuQueueWriteBuffer(device->queue(), data, 0, rows.data(), kBytes);

  const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(own, nullptr);
  wgpuCommandEncoderCopyBufferToBuffer(encoder, data, 0, input, 0, kBytes);
  const wgprim::Import imports[] = {{"input", input}, {"output", output}};
  if (const auto ok = scan->encode(encoder, {.imports = imports}); !ok) return give_up(ok.error());
  wgpuCommandEncoderCopyBufferToBuffer(encoder, output, 0, data, 0, kBytes);
  const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, nullptr);
  wgpuQueueSubmit(device->queue(), 1, &commands);

  auto adopted = wgprim::Buffer::adopt(*device, data);  // Reading through it waits for the submit.
  if (!adopted) return give_up(adopted.error());
  std::vector<std::byte> sums;
  const auto read = device->download(*adopted, 0, kBytes, [&](auto piece) -> wgprim::Result<void> {
    sums.insert(sums.end(), piece.begin(), piece.end());
    return {};
  });
  if (!read) return give_up(read.error());

  std::exclusive_scan(rows.begin(), rows.end(), rows.begin(), 0u);  // What it should be.
  if (std::memcmp(sums.data(), rows.data(), kBytes) != 0) return 1;
  std::printf("%zu rows scanned between two copies: right\n", kRows);
}
