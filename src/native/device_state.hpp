// What a Device shares among its copies, its buffers and its executables. Every part of src/native
// works on it; nothing outside does.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "native/binding_sets.hpp"
#include "native/handle.hpp"
#include "native/pipelines.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

namespace native {

struct StagingBuffer {
  BufferHandle buffer;
  std::uint64_t bytes = 0;
};

}  // namespace native

struct Device::State : std::enable_shared_from_this<Device::State> {
  State(native::DeviceHandle owned_device, std::chrono::milliseconds wait_limit);
  ~State();

  /// The state of a device that is already known to the process, or null.
  static std::shared_ptr<State> find(WGPUDevice device);
  /// Makes `find` know this state, complete by now, unless it knows one of the same device: the
  /// state that it knows. The device's callbacks look it up there.
  std::shared_ptr<State> enter_registry();

  /// Marks the device lost for good; the first reason stays.
  void lose(std::string reason);
  /// Loses the device and keeps this state for as long as the process lives: drivers wait for the
  /// unfinished work when the device, or as little as a pipeline of it, is released.
  void abandon(std::string reason);
  /// Error device_lost with the reason once the device is lost.
  Result<void> check_alive() const;

  native::DeviceHandle device;
  native::QueueHandle queue;
  AdapterInfo adapter;
  std::string adapter_reason;
  std::chrono::milliseconds time_out;

  Limits limits;         ///< The device's, lowered by the request.
  Limits device_limits;  ///< Not lowered: for the library's own buffers and probes.
  Capabilities allowed;  ///< The device's features less what the request switches off.
  std::vector<std::string> capability_requests;

  std::mutex profile_mutex;  ///< Over the next two.
  std::optional<DeviceProfile> profile;
  std::vector<SubgroupSelfTest> subgroup_self_tests;

  // Recursive: a callback of the caller may run inside a call made under either, and call us again.
  std::recursive_mutex scope_mutex;     ///< Held by an ErrorScope.
  std::recursive_mutex submit_mutex;    ///< Held from "the queue is idle" to the submit.
  std::uint64_t unsubmitted_bytes = 0;  ///< Queue writes since the last submit; under submit_mutex.
  /// Traffic of submitted work that is waited for.
  std::atomic<std::uint64_t> bytes_in_flight = 0;

  std::mutex staging_mutex;
  native::StagingBuffer staging;  ///< Empty while a download has it.

  native::PipelineCache pipelines;
  native::BindingSetRegistry binding_sets;

  std::atomic<std::uint64_t> next_buffer_serial = 1;
  std::atomic<std::uint64_t> pipelines_created = 0;
  std::atomic<std::uint64_t> bind_groups_created = 0;
  std::atomic<std::uint64_t> buffers_created = 0;

  mutable std::mutex messages_mutex;
  std::string lost_reason;
  std::optional<std::string> uncaptured_error;  ///< The first since it was last asked for.
  std::atomic<bool> is_lost = false;
};

}  // namespace wgprim
