// Buffers: creation, adoption, and the probes that find misuse before a submit would end the
// process.
#include <algorithm>
#include <array>

#include "native/buffer_state.hpp"
#include "native/error_scope.hpp"
#include "native/work.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

struct UsageFlag {
  std::uint32_t flag;
  WGPUBufferUsage webgpu;
};

constexpr std::array<UsageFlag, 7> kUsages = {{
    {kUsageStorage, WGPUBufferUsage_Storage},
    {kUsageUniform, WGPUBufferUsage_Uniform},
    {kUsageCopySource, WGPUBufferUsage_CopySrc},
    {kUsageCopyDestination, WGPUBufferUsage_CopyDst},
    {kUsageIndirect, WGPUBufferUsage_Indirect},
    {kUsageVertex, WGPUBufferUsage_Vertex},
    {kUsageIndex, WGPUBufferUsage_Index},
}};

constexpr std::string_view kAdopted = "adopted buffer";

std::uint64_t whole_words(std::uint64_t bytes) {
  return (std::max<std::uint64_t>(bytes, 1) + 3) / 4 * 4;
}

Result<void> refuse(std::optional<Error> error) {
  if (!error) return {};
  return std::unexpected(std::move(*error));
}

/// Ends a mapping; the error that there is none is dropped.
void unmap(Device::State& device, WGPUBuffer buffer) {
  const native::ErrorScope dropped(device);
  wgpuBufferUnmap(buffer);
}

bool contains(const Error& error, std::string_view part) {
  return error.message.find(part) != std::string::npos;
}

}  // namespace

Buffer::State::State(std::shared_ptr<Device::State> owner, native::BufferHandle owned)
    : device(std::move(owner)),
      handle(std::move(owned)),
      bytes(wgpuBufferGetSize(handle.get())),
      serial(device->next_buffer_serial++) {}

Buffer Buffer::State::create(std::shared_ptr<Device::State> owner, native::BufferHandle owned) {
  return Buffer(std::make_shared<State>(std::move(owner), std::move(owned)));
}

void Buffer::State::destroy() {
  if (!handle) return;
  device->binding_sets.forget(serial);
  // Released, not destroyed: commands already recorded with it stay valid until they have run.
  handle.reset();
}

Result<Buffer> Device::create_buffer(std::uint64_t bytes, std::uint32_t usage,
                                     std::string_view label) {
  if (usage == 0 || (usage & ~native::all_usages()) != 0) {
    return fail(ErrorCode::invalid_argument,
                concat("Buffer '", label, "' is asked for with usage ", usage,
                       ", which is not a set of BufferUsage flags."));
  }
  auto handle = native::create_buffer(*state_, bytes, native::to_webgpu_usage(usage), label,
                                      state_->limits.max_buffer_size);
  if (!handle) return pass_on(handle);
  return Buffer::State::create(state_, std::move(*handle));
}

Result<Buffer> Buffer::adopt(Device& device, WGPUBuffer buffer) {
  if (buffer == nullptr) {
    return fail(ErrorCode::invalid_argument, "A null WGPUBuffer cannot be adopted.");
  }
  Device::State& state = *device.state();
  if (const auto alive = state.check_alive(); !alive) return pass_on(alive);
  const auto owned = native::check_owner(buffer, state, kAdopted);
  if (!owned) return pass_on(owned);
  unmap(state, buffer);
  const auto available = native::check_available(state, buffer, kAdopted);
  if (!available) return pass_on(available);
  wgpuBufferAddRef(buffer);
  return State::create(device.state(), native::BufferHandle(buffer));
}

WGPUBuffer Buffer::handle() const { return state_ ? state_->handle.get() : nullptr; }
std::uint64_t Buffer::bytes() const { return state_ ? state_->bytes : 0; }
void Buffer::destroy() {
  if (state_) state_->destroy();
}

namespace native {
namespace {

Result<BufferHandle> create_buffer(Device::State& device, WGPUBufferDescriptor descriptor,
                                   std::uint64_t max_bytes) {
  if (const auto alive = device.check_alive(); !alive) return pass_on(alive);
  const std::uint64_t bytes = descriptor.size;
  const std::string_view label = from_webgpu(descriptor.label);
  if (bytes > max_bytes || whole_words(bytes) > max_bytes) {
    return fail(ErrorCode::limit_exceeded,
                concat("Buffer '", label, "' needs ", bytes,
                       " bytes in whole words, more than the device's limit maxBufferSize (",
                       max_bytes, ")."));
  }
  descriptor.size = whole_words(bytes);
  ErrorScope scope(device);
  BufferHandle buffer(wgpuDeviceCreateBuffer(device.device.get(), &descriptor));
  const std::string context = concat("Buffer '", label, "' of ", bytes, " bytes cannot be made");
  if (auto error = scope.close(ErrorCode::invalid_argument, context)) {
    return std::unexpected(std::move(*error));
  }
  ++device.buffers_created;
  return buffer;
}

}  // namespace

WGPUBufferUsage to_webgpu_usage(std::uint32_t usage) {
  WGPUBufferUsage flags = WGPUBufferUsage_None;
  for (const UsageFlag& known : kUsages) {
    if ((usage & known.flag) != 0) flags |= known.webgpu;
  }
  return flags;
}

std::uint32_t all_usages() {
  std::uint32_t all = 0;
  for (const UsageFlag& known : kUsages)
    all |= known.flag;
  return all;
}

std::uint32_t missing_usage(WGPUBuffer buffer, std::uint32_t wanted) {
  const WGPUBufferUsage present = wgpuBufferGetUsage(buffer);
  std::uint32_t missing = 0;
  for (const UsageFlag& known : kUsages) {
    if ((wanted & known.flag) != 0 && (present & known.webgpu) == 0) missing |= known.flag;
  }
  return missing;
}

Result<BufferHandle> create_buffer(Device::State& device, std::uint64_t bytes,
                                   WGPUBufferUsage usage, std::string_view label,
                                   std::uint64_t max_bytes) {
  WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
  descriptor.label = to_webgpu(label);
  descriptor.usage = usage;
  descriptor.size = bytes;
  return create_buffer(device, descriptor, max_bytes);
}

Result<MappedBuffer> create_mapped_buffer(Device::State& device, std::uint64_t bytes,
                                          WGPUBufferUsage usage, std::string_view label) {
  WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
  descriptor.label = to_webgpu(label);
  descriptor.usage = usage;
  descriptor.size = bytes;
  descriptor.mappedAtCreation = true;
  auto buffer = create_buffer(device, descriptor, device.device_limits.max_buffer_size);
  if (!buffer) return pass_on(buffer);
  void* const mapped = wgpuBufferGetMappedRange(buffer->get(), 0, WGPU_WHOLE_MAP_SIZE);
  return MappedBuffer{std::move(*buffer),
                      {static_cast<std::byte*>(mapped), static_cast<std::size_t>(bytes)}};
}

Result<void> check_owner(const Buffer& buffer, const Device::State& device, std::string_view name) {
  if (buffer.handle() == nullptr) {
    return fail(ErrorCode::invalid_argument,
                concat("The buffer given as '", name, "' is destroyed."));
  }
  if (buffer.state()->device.get() != &device) {
    return fail(ErrorCode::invalid_argument,
                concat("The buffer given as '", name, "' belongs to another device."));
  }
  return {};
}

/// Mapped or not: found by a write of nothing.
Result<void> check_owner(WGPUBuffer buffer, Device::State& device, std::string_view name) {
  const std::uint32_t nothing = 0;
  ErrorScope scope(device);
  wgpuQueueWriteBuffer(device.queue.get(), buffer, 0, &nothing, 0);
  return refuse(scope.close(ErrorCode::invalid_argument,
                            concat("The buffer given as '", name, "' cannot be used")));
}

Result<void> check_usable(const Buffer& buffer, Device::State& device, std::string_view name) {
  const auto owned = check_owner(buffer, device, name);
  return owned ? check_unmapped(device, buffer.handle(), name) : owned;
}

Result<void> check_available(Device::State& device, WGPUBuffer buffer, std::string_view name) {
  const std::uint32_t word = 0;
  ErrorScope scope(device);
  wgpuQueueWriteBuffer(device.queue.get(), buffer, whole_words(wgpuBufferGetSize(buffer)), &word,
                       sizeof(word));
  const auto error = scope.close(ErrorCode::invalid_argument,
                                 concat("The buffer given as '", name, "' cannot be used"));
  if (!error || contains(*error, "overrunning the bounds of the Destination buffer") ||
      contains(*error, "required usage flags BufferUsages(COPY_DST)")) {
    return {};
  }
  if (!contains(*error, "expected to be unmapped")) return refuse(error);
  return fail(ErrorCode::invalid_argument,
              concat("The buffer given as '", name,
                     "' is mapped or about to be mapped; unmap it before it is used."));
}

Result<void> check_unmapped(Device::State& device, WGPUBuffer buffer, std::string_view name) {
  const bool is_mappable =
      (wgpuBufferGetUsage(buffer) & (WGPUBufferUsage_MapRead | WGPUBufferUsage_MapWrite)) != 0;
  return is_mappable ? check_available(device, buffer, name) : Result<void>();
}

}  // namespace native
}  // namespace wgprim
