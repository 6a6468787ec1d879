// Running plans through the WebGPU C API (wgpu-native): Device, Buffer, Executable.
// A public call reaches the GPU in three hops: Graph::add, Graph::compile, Executable::encode.
//
// Threads: a Device may be shared by threads; a Buffer or an Executable is used by one at a time.
// Owners: Device, Buffer and Executable are handles to shared state; the last one releases it. A
// moved-from Buffer, Executable or Timer is refused with an Error; a Device is copied, never empty.
//
// Promised by the caller, because wgpu-native ends the process and nothing can tell beforehand:
//  - WebGPU objects given to a call live, and come from the WGPUInstance of its device;
//  - an encoder or a pass belongs to the device that it is given to;
//  - a buffer is neither mapped nor destroyed by WebGPU between an encode and the submit.
#pragma once

#include <webgpu.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "wgprim/adapters.hpp"
#include "wgprim/limits.hpp"
#include "wgprim/plan.hpp"
#include "wgprim/report.hpp"
#include "wgprim/result.hpp"
#include "wgprim/timer.hpp"

namespace wgprim {

/// Objects created since the device was made. A second encode of an executable adds nothing here,
/// but for the buffers of its row counts, and bind groups where an import is a bare WGPUBuffer or
/// row counts go into a caller's pass.
struct CreationCounts {
  std::uint64_t pipelines = 0;
  std::uint64_t bind_groups = 0;
  std::uint64_t buffers = 0;
  bool operator==(const CreationCounts&) const = default;
};

class Buffer;

class Device {
 public:
  Device(const Device&) = default;
  Device& operator=(const Device&) = default;

  /// Opens an adapter with its limits raised to the most it offers.
  /// Errors: no_adapter; invalid_argument for a limit or capability that cannot be applied.
  static Result<Device> create(const DeviceRequest& request = {});

  /// Works on the caller's own device, which stays the caller's; a reference is held. Adopting a
  /// device again, or adopting `handle()`, gives the same Device. Subgroups and timestamps are used
  /// if the device was made with the features for them. WebGPU's error scopes belong to the device:
  /// no other thread may have one open while a call of this library runs. No callback is needed:
  /// what this library provokes it catches. For the caller's own calls wgpu-native ends the process
  /// at an error without callback, and at the loss of a device made from a null descriptor.
  static Result<Device> adopt(
      WGPUDevice device, std::chrono::milliseconds time_out = std::chrono::milliseconds(60'000));

  const AdapterInfo& adapter() const;
  /// Why this adapter was taken: "the only one", "named by WGPRIM_ADAPTER", ...
  const std::string& adapter_reason() const;
  /// Limits and capabilities as the planner may use them. The first call runs the subgroup
  /// self-tests where the device offers subgroups; one that fails takes subgroups away.
  /// Errors: device_lost; unsupported where the request insists on subgroups that failed.
  Result<DeviceProfile> profile();
  /// Results of the self-tests that `profile` ran; empty where the device offers no subgroups.
  std::vector<SubgroupSelfTest> subgroup_self_tests() const;

  /// A buffer of `bytes` (rounded up to a multiple of 4; at least 4). `usage` are BufferUsage
  /// flags. Errors: invalid_argument, limit_exceeded, out_of_memory, device_lost.
  Result<Buffer> create_buffer(std::uint64_t bytes, std::uint32_t usage, std::string_view label);

  /// Copies host bytes into the buffer. Offset and size are multiples of 4. Waits for the work
  /// before it, so that host memory in flight stays bounded. `progress` hears of bytes done so far.
  /// Errors: a range beyond the buffer or not of whole words; a buffer mapped, destroyed, without
  /// the usage or of another device (invalid_argument); out_of_memory, device_lost.
  Result<void> upload(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes,
                      const std::function<void(std::uint64_t)>& progress = {});

  /// Hands the buffer's bytes to `sink` piece by piece, in order, each valid during the call only.
  /// An error of `sink` ends the download and is returned. No lock is held during the call.
  /// Errors: those of upload.
  using Sink = std::function<Result<void>(std::span<const std::byte>)>;
  Result<void> download(Buffer& buffer, std::uint64_t offset, std::uint64_t bytes,
                        const Sink& sink);

  /// Finishes the encoder, submits its commands and waits for them. The encoder, one of this
  /// device, is consumed (released) either way. `bytes` of traffic extend the time-out. After a
  /// time-out the device is lost for good: every call answers device_lost at once, nothing is
  /// submitted any more, and destructors do not wait. Leave such a process by std::_Exit: drivers
  /// may crash in exit() while their work still runs. Errors: invalid_argument (commands that
  /// WebGPU refuses), device_lost.
  Result<void> submit_and_wait(WGPUCommandEncoder encoder, std::uint64_t bytes);

  bool is_lost() const;
  /// The first WebGPU error of the caller's own calls on `handle()` since this was last asked.
  /// Always empty for an adopted device, whose errors go to its maker's callback.
  std::optional<std::string> take_uncaptured_error();
  CreationCounts creation_counts() const;
  WGPUDevice handle() const;
  WGPUQueue queue() const;

  struct State;  ///< Private to the library.
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit Device(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// A device buffer whose life the library can see: bind groups made for it are cached and go when
/// it goes, so that the caches never keep its memory alive.
class Buffer {
 public:
  /// Takes a caller's buffer under the same care; a reference is held until the Buffer goes. A
  /// mapping of it ends here. Destroying it by wgpuBufferDestroy while it is in use is the caller's
  /// mistake. Errors: a null or destroyed buffer, or one of another device (invalid_argument).
  static Result<Buffer> adopt(Device& device, WGPUBuffer buffer);

  WGPUBuffer handle() const;  ///< Null once destroyed.
  std::uint64_t bytes() const;

  /// Gives the memory back as soon as the work already recorded with it has run. Every later use of
  /// any copy is refused with an Error.
  void destroy();

  struct State;  ///< Private to the library.
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit Buffer(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// What stands behind an imported buffer during one encode. A bare WGPUBuffer is promised to be
/// alive until the submit; its bind groups are made anew each time.
using ImportedHandle = std::variant<const Buffer*, WGPUBuffer>;

struct Import {
  std::string_view id;  ///< Of Graph::import_buffer.
  ImportedHandle buffer;
};

/// A boolean that a node's condition names.
struct Parameter {
  std::string_view name;
  bool value = false;
};

/// A smaller row count for one encode of a node that was planned for a capacity.
struct RowCount {
  std::string_view node;
  std::uint64_t rows = 0;
};

/// A range of a buffer, as external work finds it. Valid during the call only.
struct ExternalBuffer {
  WGPUBuffer buffer = nullptr;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// What external work gets: the encoder, with no pass open, and its buffers in the order of
/// External::uses.
struct ExternalWork {
  WGPUCommandEncoder encoder = nullptr;
  std::span<const ExternalBuffer> buffers;
};

/// Records the commands of an external node. It leaves the encoder open, without a pass, and
/// cannot fail: commands before it are recorded already. Called once an encode, when the node runs.
/// It may encode other executables, and let go of what the encode uses (Buffer::destroy, the
/// handles of the executable, execution and timer): that goes once the encode has ended. What it
/// throws passes through, and the executable can be encoded again; the encoder then holds the
/// commands before it. WebGPU errors of its own calls are the caller's to catch.
struct ExternalCall {
  std::string_view node;
  std::function<void(const ExternalWork&)> record;
};

struct EncodeOptions {
  /// One for each imported buffer that a running node uses and that has no default.
  std::span<const Import> imports;
  std::span<const Parameter> parameters;    ///< One for each condition of the plan.
  std::span<const RowCount> row_counts;     ///< Of nodes that run on less than their capacity.
  std::span<const ExternalCall> externals;  ///< One for each external node that runs.
  Timer* timer = nullptr;
  NodeTimer* node_timer = nullptr;  ///< Not together with `timer`.
};

/// How far an execution has come.
struct Progress {
  std::uint32_t steps_done = 0;
  std::uint32_t steps = 0;
  /// 0 to 1.
  double fraction() const { return steps == 0 ? 1.0 : double(steps_done) / double(steps); }
};

/// A run of an executable step by step, as its plan's budget cut it. Movable; ends its claim on the
/// executable when it goes.
class Execution {
 public:
  /// Records the next step into the caller's encoder. All checks precede the first recorded
  /// command; a step that fails is not counted and can be encoded again.
  /// Errors: those of Executable::encode; no step left.
  Result<Progress> encode_next(WGPUCommandEncoder encoder);
  Progress progress() const;
  bool is_done() const;

  Execution(Execution&&) noexcept;
  Execution& operator=(Execution&&) noexcept;
  ~Execution();

  struct State;  ///< Private to the library.

 private:
  friend class Executable;
  explicit Execution(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

/// A plan made ready on a device: pipelines, slots, parameter blocks, bind groups.
class Executable {
 public:
  /// Errors: limit_exceeded, out_of_memory, device_lost, invalid_argument (a plan that contradicts
  /// itself, a kernel's own WGSL that does not compile, with the compiler's text), aliasing,
  /// unsupported (subgroups where there are none). Nothing measures the workgroup memory of a
  /// kernel's own WGSL: its author keeps it within the limits.
  static Result<Executable> create(Device& device, Plan plan);

  /// What stands behind an import wherever an encode does not say otherwise; holds a reference
  /// until it is set again or the executable goes. Errors: an unknown import, a null buffer, one of
  /// another device, a call from external work of the same executable (invalid_argument).
  Result<void> set_default(const Import& import);

  /// Records the plan into the caller's encoder, one of the executable's device, and never submits,
  /// maps, waits or grows. All checks precede the first recorded command: a refused encode has
  /// recorded nothing and can be retried. One thing shows only while recording: an encoder that
  /// already refuses commands, found before external work is called and at the end. May be called
  /// several times before one submit: each encode keeps its own parameters and row counts.
  /// The second encode with the same imports allocates nothing, but for row counts and imports that
  /// are bare WGPUBuffers.
  /// Errors: a missing, unknown or repeated import, parameter, row count or external call; a row
  /// count above the capacity; a buffer too small or without a usage the plan needs, mapped,
  /// destroyed or of another device; one buffer behind two imports of which one is written; an
  /// execution that is not done yet.
  Result<void> encode(WGPUCommandEncoder encoder, const EncodeOptions& options);

  /// Records into the caller's open compute pass, where every running node only dispatches. With
  /// row counts each call makes its bind groups anew and tries its commands out, which costs as
  /// much as a first encode; `encode` keeps both.
  /// Errors: those of encode; a running copy, clear or external node; timers (a pass has its own
  /// timestamps).
  Result<void> encode_in_pass(WGPUComputePassEncoder pass, const EncodeOptions& options);

  /// Starts a run in the steps of the plan's budget (one step where it has none). Imports,
  /// parameters, row counts and calls are those given here until the run ends, whatever becomes of
  /// the options; the execution holds its buffers until then. One execution at a time.
  /// Errors: those of encode; `timer`, which has no meaning over steps.
  Result<Execution> begin(const EncodeOptions& options);

  /// What became of each node in the latest encode, or will in the latest execution once its first
  /// step is recorded; by node. Empty before the first; a refused encode changes nothing.
  std::span<const Outcome> outcomes() const;

  const Plan& plan() const;

  struct State;  ///< Private to the library.
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  explicit Executable(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Encodes once, submits, waits. Adds the GPU time to `gpu_ns` where a timer can be had and
/// `gpu_ns` is not null.
Result<void> run(Device& device, Executable& executable, const EncodeOptions& options,
                 std::optional<double>* gpu_ns = nullptr);

}  // namespace wgprim
