// Uploads by queue writes, downloads through a staging buffer that the device keeps.
#include "native/transfer.hpp"

#include <algorithm>

#include "native/buffer_state.hpp"
#include "native/error_scope.hpp"
#include "native/work.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::native {
namespace {

Result<void> check_transfer(Device::State& device, const Buffer& buffer, std::uint64_t offset,
                            std::uint64_t bytes, std::uint32_t usage, std::string_view verb) {
  if (const auto alive = device.check_alive(); !alive) return alive;
  if (const auto usable = check_usable(buffer, device, verb); !usable) return usable;
  if (missing_usage(buffer.handle(), usage) != 0) {
    return fail(ErrorCode::invalid_argument,
                concat("The buffer of this ", verb, " lacks the usage ", usage_names(usage), "."));
  }
  if (offset % 4 != 0 || bytes % 4 != 0) {
    return fail(ErrorCode::invalid_argument,
                concat("The ", verb, " of ", bytes, " bytes at offset ", offset,
                       " is not made of whole words (4 bytes)."));
  }
  if (offset > buffer.bytes() || bytes > buffer.bytes() - offset) {
    return fail(ErrorCode::invalid_argument,
                concat("The ", verb, " of ", bytes, " bytes at offset ", offset,
                       " ends beyond its buffer (", buffer.bytes(), " bytes)."));
  }
  return {};
}

/// Queue writes are host memory until they are submitted and done. Counts one and says whether so
/// much is waiting that it must go now.
bool must_flush_after(Device::State& device, std::uint64_t bytes) {
  const std::lock_guard lock(device.submit_mutex);
  device.unsubmitted_bytes += bytes;
  return device.unsubmitted_bytes >= kTransferPieceBytes;
}

/// A staging buffer, the device's kept one if it is free and large enough. No lock is held while it
/// is lent, so a sink may itself download.
class StagingLease {
 public:
  static Result<StagingLease> take(Device::State& device, std::uint64_t bytes) {
    StagingLease lease(device);
    {
      const std::lock_guard lock(device.staging_mutex);
      lease.staging_ = std::exchange(device.staging, {});
    }
    if (lease.staging_.bytes >= bytes) return lease;
    lease.staging_ = {};
    auto buffer = create_buffer(device, bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                "download staging", device.device_limits.max_buffer_size);
    if (!buffer) return pass_on(buffer);
    lease.staging_ = {std::move(*buffer), bytes};
    return lease;
  }
  StagingLease(StagingLease&&) = default;
  ~StagingLease() {
    if (!staging_.buffer) return;
    const std::lock_guard lock(device_->staging_mutex);
    if (device_->staging.bytes < staging_.bytes) device_->staging = std::move(staging_);
  }

  WGPUBuffer buffer() const { return staging_.buffer.get(); }
  std::uint64_t bytes() const { return staging_.bytes; }

 private:
  explicit StagingLease(Device::State& device) : device_(&device) {}
  Device::State* device_;
  StagingBuffer staging_;
};

Result<void> copy_piece(Device::State& device, WGPUBuffer source, std::uint64_t offset,
                        WGPUBuffer staging, std::uint64_t bytes) {
  // Anew for each piece: the sink may have mapped the buffer.
  const auto unmapped = check_unmapped(device, source, "download");
  if (!unmapped) return unmapped;
  const auto encoder = create_encoder(device);
  if (!encoder) return pass_on(encoder);
  wgpuCommandEncoderCopyBufferToBuffer(encoder->get(), source, offset, staging, 0, bytes);
  return submit_and_wait(device, encoder->get(), bytes);
}

/// A range mapped for reading, unmapped however its user leaves.
class ReadMapping {
 public:
  static Result<ReadMapping> map(Device::State& device, WGPUBuffer buffer, std::uint64_t bytes) {
    const auto awaited = std::make_shared<Completion>();
    WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_AllowSpontaneous;
    info.userdata1 = as_userdata(awaited);
    info.callback = [](WGPUMapAsyncStatus status, WGPUStringView message, void* userdata, void*) {
      take_back(userdata)->finish(status == WGPUMapAsyncStatus_Success, from_webgpu(message));
    };
    {
      ErrorScope scope(device);
      wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, bytes, info);
      if (auto error = scope.close(ErrorCode::internal, "The download fails")) {
        return std::unexpected(std::move(*error));
      }
    }
    if (const auto mapped = wait_for(device, *awaited); !mapped) return pass_on(mapped);
    return ReadMapping(device, buffer, bytes);
  }
  ReadMapping(ReadMapping&& other) noexcept
      : device_(other.device_),
        buffer_(std::exchange(other.buffer_, nullptr)),
        bytes_(other.bytes_) {}
  ~ReadMapping() {
    if (buffer_ == nullptr) return;
    const ErrorScope noted(device_);  // The sink may have lost the device.
    wgpuBufferUnmap(buffer_);
  }

  std::span<const std::byte> bytes() const {
    const void* data = wgpuBufferGetConstMappedRange(buffer_, 0, bytes_);
    return {static_cast<const std::byte*>(data), static_cast<std::size_t>(bytes_)};
  }

 private:
  ReadMapping(Device::State& device, WGPUBuffer buffer, std::uint64_t bytes)
      : device_(device), buffer_(buffer), bytes_(bytes) {}
  Device::State& device_;
  WGPUBuffer buffer_;
  std::uint64_t bytes_;
};

/// The callbacks of a transfer may destroy its buffer; the transfer keeps a reference.
BufferHandle share(const Buffer& buffer) {
  wgpuBufferAddRef(buffer.handle());
  return BufferHandle(buffer.handle());
}

}  // namespace

Result<void> write_buffer(Device::State& device, WGPUBuffer buffer, std::uint64_t offset,
                          std::span<const std::byte> bytes) {
  {
    ErrorScope scope(device);
    wgpuQueueWriteBuffer(device.queue.get(), buffer, offset, bytes.data(), bytes.size());
    if (auto error = scope.close(ErrorCode::invalid_argument, "The upload fails")) {
      return std::unexpected(std::move(*error));
    }
  }
  if (!must_flush_after(device, bytes.size())) return {};
  return flush(device, bytes.size());
}

Result<void> read_buffer(Device::State& device, WGPUBuffer buffer, std::uint64_t offset,
                         std::uint64_t bytes, const Device::Sink& sink) {
  if (bytes == 0) return {};
  const auto staging = StagingLease::take(device, std::min(kTransferPieceBytes, bytes));
  if (!staging) return pass_on(staging);
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t size = std::min(staging->bytes(), bytes - done);
    const auto copied = copy_piece(device, buffer, offset + done, staging->buffer(), size);
    if (!copied) return copied;
    const auto mapping = ReadMapping::map(device, staging->buffer(), size);
    if (!mapping) return pass_on(mapping);
    if (const auto taken = sink(mapping->bytes()); !taken) return taken;
    done += size;
  }
  return {};
}

Result<void> upload(Device::State& device, Buffer& buffer, std::uint64_t offset,
                    std::span<const std::byte> bytes,
                    const std::function<void(std::uint64_t)>& progress) {
  const auto checked =
      check_transfer(device, buffer, offset, bytes.size(), kUsageCopyDestination, "upload");
  if (!checked) return checked;
  const BufferHandle target = share(buffer);
  for (std::uint64_t done = 0; done < bytes.size();) {
    const auto piece = bytes.subspan(done, std::min(kTransferPieceBytes, bytes.size() - done));
    const auto written = write_buffer(device, target.get(), offset + done, piece);
    if (!written) return written;
    done += piece.size();
    if (progress) progress(done);
  }
  return {};
}

Result<void> download(Device::State& device, Buffer& buffer, std::uint64_t offset,
                      std::uint64_t bytes, const Device::Sink& sink) {
  if (!sink) return fail(ErrorCode::invalid_argument, "The sink of a download is empty.");
  const auto checked = check_transfer(device, buffer, offset, bytes, kUsageCopySource, "download");
  if (!checked) return checked;
  const BufferHandle source = share(buffer);
  return read_buffer(device, source.get(), offset, bytes, sink);
}

}  // namespace wgprim::native
