// The parameter words of dispatches, on the device. Those of the plan are written once and never
// again. Encodes with row counts use a second set of buffers, filled anew by each encode from
// buffers of its own, so that encodes in flight cannot disturb each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/device_state.hpp"
#include "native/handle.hpp"
#include "native/resolution.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

/// Where a dispatch finds its parameter words.
struct ParameterBlock {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< 0: it has none here.
};

/// Blocks of some dispatches of a plan, at steps of 256 bytes in buffers of 1 MiB.
class ParameterLayout {
 public:
  /// Of all dispatches with parameters, or of those with an extent only.
  ParameterLayout(const Plan& plan, bool has_extents_only);

  const ParameterBlock& block(std::uint32_t dispatch) const { return blocks_[dispatch]; }
  /// The dispatches that have a block, in order.
  std::span<const std::uint32_t> dispatches() const { return dispatches_; }
  /// Bytes of each buffer.
  std::span<const std::uint64_t> buffer_bytes() const { return buffer_bytes_; }

 private:
  std::vector<ParameterBlock> blocks_;  ///< By dispatch.
  std::vector<std::uint32_t> dispatches_;
  std::vector<std::uint64_t> buffer_bytes_;
};

/// A run of blocks within one buffer of a layout, in a buffer of its own.
struct ParameterPiece {
  BufferHandle buffer;
  std::uint32_t target = 0;  ///< Of the layout's buffers.
  std::uint64_t offset = 0;  ///< Within that.
  std::uint64_t bytes = 0;
};

/// The blocks of dispatches [first, end) of a layout, new and filled. `rows` by node; empty: the
/// plan's own words. Over all dispatches the pieces are the layout's buffers one by one.
/// Errors: out_of_memory, device_lost.
Result<std::vector<ParameterPiece>> create_parameters(Device::State& device, const Plan& plan,
                                                      const ParameterLayout& layout,
                                                      std::uint32_t first, std::uint32_t end,
                                                      std::span<const std::uint64_t> rows,
                                                      WGPUBufferUsage usage);

/// The set of buffers that encodes with row counts fill. Errors: out_of_memory, device_lost.
Result<std::vector<BufferHandle>> create_parameter_targets(Device::State& device,
                                                           const ParameterLayout& layout);

}  // namespace wgprim::native
