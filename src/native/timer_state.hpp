// Two timestamps and the buffer they are resolved into.
#pragma once

#include <memory>

#include "native/device_state.hpp"
#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

struct Timer::State {
  static constexpr std::uint32_t kBegin = 0;
  static constexpr std::uint32_t kEnd = 1;
  static constexpr std::uint32_t kQueries = 2;
  static constexpr std::uint64_t kBytes = 16;  ///< Of the resolved pair.

  std::shared_ptr<Device::State> device;
  native::QuerySetHandle queries;
  native::BufferHandle resolved;
  bool is_recorded = false;  ///< Whether the latest encode succeeded and wrote the pair.
};

}  // namespace wgprim
