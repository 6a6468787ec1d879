// What an Executable holds: the plan and everything of it that stays the same from encode to
// encode.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "native/binding_sets.hpp"
#include "native/commands.hpp"
#include "native/conditions.hpp"
#include "native/device_state.hpp"
#include "native/handle.hpp"
#include "native/imports.hpp"
#include "native/node_options.hpp"
#include "native/parameters.hpp"
#include "native/pipelines.hpp"
#include "native/resolution.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

namespace native {

struct ParameterSet {
  ParameterLayout layout;
  std::vector<BufferHandle> buffers;
};

}  // namespace native

struct Executable::State {
  State(std::shared_ptr<Device::State> owner, Plan owned_plan)
      : device(std::move(owner)), plan(std::move(owned_plan)) {}

  /// Executable::create within given limits: the caller's, lowered, or the device's own.
  static Result<Executable> create(Device& device, Plan plan, const Limits& limits);

  std::shared_ptr<Device::State> device;
  const Plan plan;
  const native::CommandList commands{plan};
  const native::ImportTable imports{plan, commands};
  const native::ConditionTable conditions{plan};
  const native::NodeTable nodes{plan};
  std::vector<std::shared_ptr<const native::Pipeline>> pipelines;  ///< By kernel.
  std::vector<native::BufferHandle> slots;
  std::vector<native::BufferHandle> state_buffers;
  native::ParameterSet parameters{.layout{plan, false}, .buffers{}};
  /// What encodes with row counts fill; made by the first of them.
  std::optional<native::ParameterSet> row_count_parameters;
  std::vector<native::HeldBuffer> defaults;  ///< By plan buffer, once there is one.
  std::shared_ptr<native::BindingSets> binding_sets = std::make_shared<native::BindingSets>();
  native::Resolution resolution;     ///< Of the present encode; slots and states stay in it.
  std::vector<Outcome> outcomes;     ///< Of the latest encode.
  std::uint32_t compute_passes = 0;  ///< Of the latest encode or step; for tests.
  bool is_recording = false;         ///< Work of the caller may ask for another encode meanwhile.
  bool is_executing = false;         ///< The resolution belongs to an execution.
  std::optional<Timer> timer;        ///< Of run(), made when first needed.
};

}  // namespace wgprim
