// Lays parameter blocks out and fills them while their buffers are still mapped from creation.
#include "native/parameters.hpp"

#include <algorithm>
#include <cstring>

#include "native/buffer_state.hpp"
#include "native/row_counts.hpp"

namespace wgprim::native {
namespace {

constexpr std::uint64_t kBufferBytes = std::uint64_t{1} << 20;

/// A uniform struct's size is a multiple of its alignment, which is 16 at most.
constexpr std::uint64_t kUniformAlignment = 16;

constexpr std::string_view kLabel = "parameters";

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

void fill(const Plan& plan, std::uint32_t index, std::span<const std::uint64_t> rows,
          std::byte* block) {
  const PlanDispatch& dispatch = plan.dispatches[index];
  const std::vector<std::uint32_t>& words = dispatch.parameters;
  std::memcpy(block, words.data(), 4 * words.size());
  if (rows.empty() || !dispatch.extent) return;
  const ExtentWork work = work_of(*dispatch.extent, dispatch.shape, rows[dispatch.node]);
  const std::uint32_t changed[] = {work.items, work.workgroups};
  std::memcpy(block, changed, sizeof(changed));
}

}  // namespace

ParameterLayout::ParameterLayout(const Plan& plan, bool has_extents_only)
    : blocks_(plan.dispatches.size()) {
  for (std::uint32_t i = 0; i < plan.dispatches.size(); ++i) {
    const PlanDispatch& dispatch = plan.dispatches[i];
    const std::uint64_t bytes = 4 * std::uint64_t{dispatch.parameters.size()};
    if (bytes == 0 || (has_extents_only && !dispatch.extent)) continue;
    const std::uint64_t step = round_up(bytes, kBindingAlignment);
    if (buffer_bytes_.empty() || buffer_bytes_.back() + step > kBufferBytes) {
      buffer_bytes_.push_back(0);
    }
    blocks_[i] = {.buffer = static_cast<std::uint32_t>(buffer_bytes_.size() - 1),
                  .offset = buffer_bytes_.back(),
                  .bytes = round_up(bytes, kUniformAlignment)};
    buffer_bytes_.back() += step;
    dispatches_.push_back(i);
  }
}

Result<std::vector<ParameterPiece>> create_parameters(Device::State& device, const Plan& plan,
                                                      const ParameterLayout& layout,
                                                      std::uint32_t first, std::uint32_t end,
                                                      std::span<const std::uint64_t> rows,
                                                      WGPUBufferUsage usage) {
  const std::span<const std::uint32_t> all = layout.dispatches();
  const auto from = std::ranges::lower_bound(all, first);
  const auto to = std::lower_bound(from, all.end(), end);
  std::vector<ParameterPiece> pieces;
  for (auto run = from; run != to;) {
    const ParameterBlock& head = layout.block(*run);
    const auto next = std::find_if_not(
        run, to, [&](std::uint32_t i) { return layout.block(i).buffer == head.buffer; });
    const bool is_last = next == all.end() || layout.block(*next).buffer != head.buffer;
    const std::uint64_t stop =
        is_last ? layout.buffer_bytes()[head.buffer] : layout.block(*next).offset;
    auto mapped = create_mapped_buffer(device, stop - head.offset, usage, kLabel);
    if (!mapped) return pass_on(mapped);
    for (; run != next; ++run)
      fill(plan, *run, rows, mapped->bytes.data() + (layout.block(*run).offset - head.offset));
    wgpuBufferUnmap(mapped->buffer.get());
    pieces.push_back({std::move(mapped->buffer), head.buffer, head.offset, stop - head.offset});
  }
  return pieces;
}

Result<std::vector<BufferHandle>> create_parameter_targets(Device::State& device,
                                                           const ParameterLayout& layout) {
  std::vector<BufferHandle> targets;
  for (const std::uint64_t bytes : layout.buffer_bytes()) {
    auto buffer = create_buffer(device, bytes, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst,
                                kLabel, device.device_limits.max_buffer_size);
    if (!buffer) return pass_on(buffer);
    targets.push_back(std::move(*buffer));
  }
  return targets;
}

}  // namespace wgprim::native
