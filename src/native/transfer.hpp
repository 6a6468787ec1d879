// Moving bytes between the host and a buffer in pieces, so that host memory in flight stays
// bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "wgprim/native.hpp"

namespace wgprim::native {

/// The most host memory that one transfer has in flight.
inline constexpr std::uint64_t kTransferPieceBytes = std::uint64_t{64} << 20;

/// A queue write of at most kTransferPieceBytes, counted so that writes nobody submits stay
/// bounded.
Result<void> write_buffer(Device::State& device, WGPUBuffer buffer, std::uint64_t offset,
                          std::span<const std::byte> bytes);

/// Hands a range of a copy-source buffer to `sink`; the range is checked already.
Result<void> read_buffer(Device::State& device, WGPUBuffer buffer, std::uint64_t offset,
                         std::uint64_t bytes, const Device::Sink& sink);

/// Device::upload and Device::download.
Result<void> upload(Device::State& device, Buffer& buffer, std::uint64_t offset,
                    std::span<const std::byte> bytes,
                    const std::function<void(std::uint64_t)>& progress);
Result<void> download(Device::State& device, Buffer& buffer, std::uint64_t offset,
                      std::uint64_t bytes, const Device::Sink& sink);

}  // namespace wgprim::native
