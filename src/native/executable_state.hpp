// What an Executable holds: the plan and everything of it that stays the same from encode to
// encode.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "native/binding_sets.hpp"
#include "native/device_state.hpp"
#include "native/handle.hpp"
#include "native/imports.hpp"
#include "native/pipelines.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

namespace native {

/// Where a dispatch finds its parameter words. Blocks are written once and never again, so encodes
/// in flight cannot disturb each other.
struct ParameterBlock {
  std::uint32_t buffer = 0;  ///< Index into parameter_buffers.
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  ///< 0: the kernel has no parameters.
};

}  // namespace native

struct Executable::State {
  State(std::shared_ptr<Device::State> owner, Plan owned_plan)
      : device(std::move(owner)), plan(std::move(owned_plan)), imports(plan) {}

  /// Executable::create within given limits: the caller's, lowered, or the device's own.
  static Result<Executable> create(Device& device, Plan plan, const Limits& limits);

  std::shared_ptr<Device::State> device;
  Plan plan;
  native::ImportTable imports;
  std::vector<std::shared_ptr<const native::Pipeline>> pipelines;  ///< By kernel.
  std::vector<native::BufferHandle> slots;
  std::vector<native::BufferHandle> state_buffers;
  std::vector<native::BufferHandle> parameter_buffers;
  std::vector<native::ParameterBlock> parameter_blocks;  ///< By dispatch.
  std::shared_ptr<native::BindingSets> binding_sets = std::make_shared<native::BindingSets>();
  native::Resolution resolution;  ///< Of the present encode; slots and states stay in it.
  std::optional<Timer> timer;     ///< Of run(), made when first needed.
};

}  // namespace wgprim
