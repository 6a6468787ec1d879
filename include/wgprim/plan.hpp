// The plan: what a graph becomes. A value without pointers or closures, so that it can be printed,
// compared, stored as JSON, and run by the native executor or in a browser.
// Identities are indices into the lists below; nothing is numbered from a global counter.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace wgprim {

/// imported: the caller's. transient: contents live within one encode, memory shared through a
/// slot. state: zero at creation, survives from encode to encode, never shares memory. constant:
/// words of the plan itself, only read.
enum class BufferRole { imported, transient, state, constant };

/// How a kernel reaches a binding. `parameters` is the uniform block of the dispatch's own words,
/// which the executor supplies.
enum class Access { storage_read, storage_read_write, uniform, parameters };

const char* to_string(BufferRole role);
const char* to_string(Access access);

/// What the commands of a plan do with a buffer: a set of flags.
enum BufferUsage : std::uint32_t {
  kUsageStorage = 1,
  kUsageUniform = 2,
  kUsageCopySource = 4,
  kUsageCopyDestination = 8,
  kUsageIndirect = 16,
  kUsageVertex = 32,
  kUsageIndex = 64,
};

/// A usage flag and its word in plans: "storage", "copy-source".
struct BufferUsageName {
  std::uint32_t flag;
  const char* name;
};

/// All usage flags, ascending.
std::span<const BufferUsageName> buffer_usage_names();

/// The flags in words: "storage and copy-source".
std::string usage_names(std::uint32_t usage);

struct PlanBuffer {
  std::string id;
  std::uint64_t bytes = 0;
  std::uint32_t usage = 0;  ///< BufferUsage flags.
  BufferRole role = BufferRole::imported;
  std::optional<std::uint32_t> slot;  ///< Index into Plan::slots, transients only.
  std::vector<std::uint32_t> words;   ///< Contents, constants only.
  bool operator==(const PlanBuffer&) const = default;
};

/// One piece of device memory that transients with disjoint lifetimes share.
struct PlanSlot {
  std::uint64_t bytes = 0;
  std::uint32_t usage = 0;
  bool operator==(const PlanSlot&) const = default;
};

struct KernelBinding {
  std::uint32_t binding = 0;
  Access access = Access::storage_read;
  bool operator==(const KernelBinding&) const = default;
};

/// A kernel by name with its specialisation, or the user's own WGSL.
struct PlanKernel {
  std::string name;
  /// Text slots of the kernel and the fragment that fills each: {"source", "source_in_place"}.
  std::vector<std::pair<std::string, std::string>> slots;
  /// Overrides: {"WORKGROUP_WIDTH", 256}.
  std::vector<std::pair<std::string, std::uint32_t>> constants;
  std::vector<KernelBinding> bindings;  ///< Of group 0, ascending.
  bool uses_subgroups = false;
  std::string wgsl;         ///< Empty for a kernel of the table; then `name` is the entry point.
  std::string entry_point;  ///< Of `wgsl`.
  /// The text of an operator of the user's own; then the slot `operator` holds `op_custom`.
  std::string operator_wgsl;
  bool operator==(const PlanKernel&) const = default;
};

/// A byte range of a buffer bound for one dispatch. `offset` is a multiple of 256.
struct PlanBinding {
  std::uint32_t binding = 0;
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const PlanBinding&) const = default;
};

using Shape = std::array<std::uint32_t, 3>;  ///< Workgroups in x, y and z.

/// Workgroup counts read from a buffer: 3 words from `offset` on.
struct IndirectShape {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
  bool operator==(const IndirectShape&) const = default;
};

/// What a piece of work amounts to; bytes are those of the rows, not of caches.
struct Workload {
  std::uint64_t workgroups = 0;  ///< Launched, padding included.
  std::uint64_t invocations = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  bool operator==(const Workload&) const = default;
};

/// How a dispatch follows a row count below its node's capacity. One item is made of
/// `rows_per_item` rows, so n rows make ceil(n / rows_per_item) items, of which this dispatch takes
/// those from `first_item` on, `items` at most. Word 0 of the parameters is the number of items it
/// takes, word 1 the number of workgroups that they fill, `items_per_workgroup` each; the shape
/// follows. Where none is left the dispatch is left out. If it `keeps_workgroups` word 1 and the
/// shape stay as planned for any number of items, none among them: the totals of all workgroups are
/// asked for all the same.
struct PlanExtent {
  std::uint64_t first_item = 0;
  std::uint64_t items = 0;
  std::uint64_t rows_per_item = 1;
  std::uint32_t items_per_workgroup = 1;
  bool keeps_workgroups = false;
  bool operator==(const PlanExtent&) const = default;
};

struct PlanDispatch {
  std::uint32_t node = 0;
  std::uint32_t kernel = 0;
  std::string label;
  std::vector<PlanBinding> bindings;
  std::vector<std::uint32_t> parameters;  ///< Words of the kernel's parameter block.
  Shape shape = {1, 1, 1};
  std::optional<IndirectShape> indirect;  ///< Replaces `shape` on the device.
  std::optional<PlanExtent> extent;       ///< Where the node takes row counts.
  Workload workload;
  bool operator==(const PlanDispatch&) const = default;
};

struct PlanCopy {
  std::uint32_t node = 0;
  std::uint32_t source = 0;
  std::uint64_t source_offset = 0;
  std::uint32_t destination = 0;
  std::uint64_t destination_offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const PlanCopy&) const = default;
};

struct PlanClear {
  std::uint32_t node = 0;
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool operator==(const PlanClear&) const = default;
};

/// A buffer as work of the caller uses it.
struct PlanExternalUse {
  std::uint32_t buffer = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t usage = 0;  ///< One BufferUsage flag.
  bool is_written = false;
  bool operator==(const PlanExternalUse&) const = default;
};

/// Commands that the caller records into the command encoder.
struct PlanExternal {
  std::uint32_t node = 0;
  std::vector<PlanExternalUse> uses;
  bool operator==(const PlanExternal&) const = default;
};

/// Dispatches [first, end) of Plan::dispatches in one compute pass.
struct PlanComputePass {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  bool operator==(const PlanComputePass&) const = default;
};

using PlanPass = std::variant<PlanComputePass, PlanCopy, PlanClear, PlanExternal>;

struct PlanNode {
  std::string id;
  std::string operation;  ///< "scan", "compute", "copy", "clear" or "external".
  std::string path;       ///< The path taken, empty where there is no choice.
  std::string reason;     ///< Why that path.
  std::string condition;  ///< Name of the boolean parameter that must be true, or empty.
  bool uses_subgroups = false;
  bool is_deterministic = true;
  /// The most rows it runs on, where an encode may give a smaller row count.
  std::optional<std::uint64_t> row_capacity;
  std::vector<std::uint32_t> after;   ///< Nodes that run before it for its sake, ascending.
  std::vector<std::uint32_t> reads;   ///< Buffers of the graph that it reads, ascending,
  std::vector<std::uint32_t> writes;  ///< and writes. Scratch of its own is in neither.
  bool operator==(const PlanNode&) const = default;
};

/// Nodes [first, end) that one step of a budget runs.
struct PlanStep {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  bool is_oversized = false;  ///< A single node above the budget.
  bool operator==(const PlanStep&) const = default;
};

struct Plan {
  std::vector<PlanNode> nodes;  ///< In the order of execution.
  std::vector<PlanBuffer> buffers;
  std::vector<PlanSlot> slots;
  std::vector<PlanKernel> kernels;
  std::vector<PlanDispatch> dispatches;
  std::vector<PlanPass> passes;
  std::vector<PlanStep> steps;      ///< Empty where no budget was given.
  std::uint64_t scratch_bytes = 0;  ///< Of all slots and state buffers.
  std::uint64_t scratch_bytes_without_reuse = 0;
  std::uint64_t largest_binding_bytes = 0;
  Workload workload;  ///< Sum over dispatches, copies and clears.
  bool operator==(const Plan&) const = default;
};

/// The plan as a page of text for people: nodes, dispatches with kernels and shapes, buffers, and
/// which slot holds what when.
std::string to_text(const Plan& plan);

/// The plan as a graph in the DOT language: nodes in order, the buffers they read and write, slots
/// as colours, waits that no buffer shows as dashed lines.
std::string to_dot(const Plan& plan);

}  // namespace wgprim
