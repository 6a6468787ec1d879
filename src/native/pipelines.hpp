// Compute pipelines by kernel, made once a device. Called when an executable is created.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "native/handle.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

struct Pipeline {
  BindGroupLayoutHandle layout;  ///< Of group 0: exactly the kernel's bindings.
  ComputePipelineHandle pipeline;
};

/// Keyed by everything that shapes a pipeline: name, slots, constants, bindings and own WGSL.
class PipelineCache {
 public:
  /// `least_bytes` of each binding are what every dispatch binds at least; 0: not looked at. A
  /// kernel that asks for more is refused here, before anything is recorded with it. Errors:
  /// unsupported (subgroups on a device without), invalid_argument with the compiler's text.
  Result<std::shared_ptr<const Pipeline>> find_or_create(
      Device::State& device, const PlanKernel& kernel, std::span<const std::uint64_t> least_bytes);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Pipeline>> pipelines_;
};

}  // namespace wgprim::native
