// Memory with an inspector, and three kernels on top of it; see the header. Workgroups run from the
// last to the first, so that nothing works just because the order is kind.
#include "support/plan_interpreter.hpp"

#include <algorithm>

#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kPoison = 0xdeadbeef;
constexpr std::uint32_t kNobody = 0xffffffff;

/// One imported buffer or slot.
struct Memory {
  struct Trace {
    std::uint32_t written_by_buffer = kNobody;  ///< The plan's buffer that last wrote the word.
    std::uint32_t dispatch = kNobody;           ///< The last dispatch that touched it,
    std::uint32_t group = kNobody;              ///< by this group,
    bool is_written = false;                    ///< and whether it wrote.
    bool is_shared = false;                     ///< Several groups of the dispatch read it.
    bool is_stale = false;                      ///< It holds what comes of words nothing wrote.
  };
  Words words;
  std::vector<Trace> traces;

  explicit Memory(Words initial) : words(std::move(initial)), traces(words.size()) {}
};

/// A word, and whether it comes of scratch that nothing wrote.
struct Value {
  std::uint32_t word = 0;
  bool is_stale = false;

  Value operator+(const Value& other) const {
    return {word + other.word, is_stale || other.is_stale};
  }
};

class Interpreter {
 public:
  Interpreter(const Plan& plan, Image imports, bool may_read_stale)
      : plan_(plan), may_read_stale_(may_read_stale) {
    auto next = imports.begin();
    for (const PlanBuffer& buffer : plan.buffers) {
      if (buffer.role == BufferRole::imported) memories_.emplace_back(std::move(*next++));
    }
    first_slot_ = memories_.size();
    for (const PlanSlot& slot : plan.slots)
      memories_.emplace_back(Words(slot.bytes / 4, kPoison));
    std::size_t import = 0;
    for (const PlanBuffer& buffer : plan.buffers) {
      const bool is_import = buffer.role == BufferRole::imported;
      memory_of_.push_back(is_import ? import++ : first_slot_ + buffer.slot.value_or(0));
    }
  }

  Result<Image> run() {
    for (const PlanPass& pass : plan_.passes) {
      const auto* compute = std::get_if<PlanComputePass>(&pass);
      if (compute == nullptr) return fail(ErrorCode::internal, "A scan neither copies nor clears.");
      for (dispatch_ = compute->first; dispatch_ < compute->end; ++dispatch_)
        run_dispatch();
    }
    if (!fault_.empty()) return fail(ErrorCode::internal, fault_);
    Image imports;
    for (std::size_t i = 0; i < first_slot_; ++i)
      imports.push_back(std::move(memories_[i].words));
    return imports;
  }

 private:
  const PlanDispatch& dispatch() const { return plan_.dispatches[dispatch_]; }
  const PlanKernel& kernel() const { return plan_.kernels[dispatch().kernel]; }

  std::uint32_t constant(const char* name, std::uint32_t fallback) const {
    for (const auto& [key, value] : kernel().constants) {
      if (key == name) return value;
    }
    return fallback;
  }

  void run_dispatch() {
    const auto [x, y, z] = dispatch().shape;
    rows_per_block_ = constant("WORKGROUP_WIDTH", 256) * constant("ROWS_PER_LANE", 1);
    for (std::uint32_t group = x * y * z; group-- > 0 && fault_.empty();) {
      group_ = group;
      if (group >= dispatch().parameters[1]) continue;  // Padding.
      rows_ = live_rows();
      if (kernel().name == "add_block_offsets") {
        add_block_offset();
      } else if (kernel().name == "scan_blocks" || kernel().name == "scan_blocks_subgroup") {
        scan_block();
      } else {
        report(concat("knows no kernel '", kernel().name, "'"));
      }
    }
  }

  /// The rows of the dispatch, by parameter 0 and a count on the device.
  std::uint32_t live_rows() {
    const auto& parameters = dispatch().parameters;
    if (!has_fragment("row_count", "row_count_on_device")) return parameters[0];
    const std::uint32_t count = load(4, parameters[parameters.size() - 1]).word;
    const std::uint32_t first_row = parameters[parameters.size() - 2];
    return count < first_row ? 0 : std::min(count - first_row, parameters[0]);
  }

  /// The rows of this group's block.
  std::uint32_t first_row() const { return group_ * rows_per_block_; }
  std::uint32_t end_row() const {
    return first_row() + std::min(rows_per_block_, rows_ - std::min(rows_, first_row()));
  }

  void scan_block() {
    const auto& parameters = dispatch().parameters;
    const std::uint32_t source = has_fragment("source", "source_in_place") ? 1 : 3;
    std::vector<Value> values;
    for (std::uint32_t row = first_row(); row < end_row(); ++row) {
      values.push_back(load(source, parameters[2] + row));
    }
    const bool is_inclusive = constant("IS_INCLUSIVE", 0) != 0;
    Value running;
    for (std::uint32_t row = first_row(); row < end_row(); ++row) {
      const Value before = running;
      running = running + values[row - first_row()];
      store(1, parameters[3] + row, is_inclusive ? running : before);
    }
    store(2, parameters[4] + group_, running);
  }

  void add_block_offset() {
    const auto& parameters = dispatch().parameters;
    const Value offset = load(2, parameters[3] + group_);
    for (std::uint32_t row = first_row(); row < end_row(); ++row) {
      store(1, parameters[2] + row, load(1, parameters[2] + row) + offset);
    }
  }

  bool has_fragment(std::string_view slot, std::string_view fragment) const {
    return std::ranges::any_of(kernel().slots, [&](const auto& filled) {
      return filled.first == slot && filled.second == fragment;
    });
  }

  Value load(std::uint32_t binding, std::uint32_t row) {
    const Place place = find(binding, row);
    if (place.memory == nullptr) return {};
    Memory::Trace& trace = place.memory->traces[place.word];
    bool is_stale = trace.is_stale;
    if (is_scratch(place) && trace.written_by_buffer != place.buffer) {
      is_stale = true;
      if (!may_read_stale_) {
        report(concat("reads row ", row, " of binding ", binding, ", which nothing wrote"));
      }
    }
    touch(trace, false);
    return {place.memory->words[place.word], is_stale};
  }

  void store(std::uint32_t binding, std::uint32_t row, const Value& value) {
    const Place place = find(binding, row);
    if (place.memory == nullptr) return;
    const bool is_writable =
        std::ranges::any_of(kernel().bindings, [&](const KernelBinding& known) {
          return known.binding == binding && known.access == Access::storage_read_write;
        });
    if (!is_writable) report(concat("writes binding ", binding, ", which it may only read"));
    if (value.is_stale && !is_scratch(place)) {
      report(concat("writes row ", row, " of binding ", binding, " from what nothing wrote"));
    }
    Memory::Trace& trace = place.memory->traces[place.word];
    trace.written_by_buffer = place.buffer;
    trace.is_stale = value.is_stale;
    touch(trace, true);
    place.memory->words[place.word] = value.word;
  }

  struct Place {
    Memory* memory = nullptr;
    std::size_t word = 0;
    std::uint32_t buffer = 0;
  };

  Place find(std::uint32_t binding, std::uint32_t row) {
    for (const PlanBinding& bound : dispatch().bindings) {
      if (bound.binding != binding) continue;
      Memory& memory = memories_[memory_of_[bound.buffer]];
      const std::uint64_t word = bound.offset / 4 + row;
      if (row < bound.bytes / 4 && word < memory.words.size()) return {&memory, word, bound.buffer};
    }
    report(concat("touches row ", row, " beyond binding ", binding));
    return {};
  }

  bool is_scratch(const Place& place) const {
    return plan_.buffers[place.buffer].role == BufferRole::transient;
  }

  void touch(Memory::Trace& trace, bool is_write) {
    if (trace.dispatch != dispatch_) {
      trace = {trace.written_by_buffer, dispatch_, group_, is_write, false, trace.is_stale};
      return;
    }
    const bool is_foreign = trace.group != group_ || trace.is_shared;
    if (is_foreign && (is_write || trace.is_written)) {
      report(concat("touches a word of group ", trace.group, ", and one of them writes"));
    }
    trace.is_shared |= trace.group != group_;
    trace.is_written |= is_write;
  }

  void report(const std::string& what) {
    if (!fault_.empty()) return;
    fault_ =
        concat("Dispatch ", dispatch_, " (", kernel().name, "), group ", group_, " ", what, ".");
  }

  const Plan& plan_;
  bool may_read_stale_;
  std::vector<Memory> memories_;  // Imports, then slots.
  std::size_t first_slot_ = 0;
  std::vector<std::size_t> memory_of_;  // Of each buffer of the plan.
  std::uint32_t dispatch_ = 0;
  std::uint32_t group_ = 0;
  std::uint32_t rows_per_block_ = 0;
  std::uint32_t rows_ = 0;
  std::string fault_;
};

std::uint64_t ceil_divide(std::uint64_t value, std::uint64_t divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

/// Makes the dispatch one over the first `rows` rows of its node. False if none is left for it.
bool lower(PlanDispatch& dispatch, std::uint64_t rows) {
  const PlanExtent& extent = *dispatch.extent;
  const std::uint64_t items = ceil_divide(rows, extent.rows_per_item);
  if (items <= extent.first_item) return false;
  const std::uint64_t own = std::min(items - extent.first_item, extent.items);
  const std::uint64_t groups = ceil_divide(own, extent.items_per_workgroup);
  dispatch.parameters[0] = static_cast<std::uint32_t>(own);
  dispatch.parameters[1] = static_cast<std::uint32_t>(groups);
  const std::uint64_t x = std::min<std::uint64_t>(groups, dispatch.shape[0]);
  const std::uint64_t y = std::min<std::uint64_t>(ceil_divide(groups, x), dispatch.shape[1]);
  const std::uint64_t z = ceil_divide(ceil_divide(groups, x), y);
  dispatch.shape = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                    static_cast<std::uint32_t>(z)};
  return true;
}

}  // namespace

Plan with_rows(const Plan& plan, const EncodedRows& rows) {
  Plan lowered = plan;
  lowered.dispatches.clear();
  std::vector<std::uint32_t> new_index;  // Of each dispatch that is there or comes next.
  for (PlanDispatch dispatch : plan.dispatches) {
    new_index.push_back(static_cast<std::uint32_t>(lowered.dispatches.size()));
    const auto given = rows.find(plan.nodes[dispatch.node].id);
    if (given != rows.end() && dispatch.extent && !lower(dispatch, given->second)) continue;
    lowered.dispatches.push_back(std::move(dispatch));
  }
  new_index.push_back(static_cast<std::uint32_t>(lowered.dispatches.size()));
  for (PlanPass& pass : lowered.passes) {
    if (auto* compute = std::get_if<PlanComputePass>(&pass)) {
      *compute = {new_index[compute->first], new_index[compute->end]};
    }
  }
  return lowered;
}

Result<Image> interpret(const Plan& plan, Image imports, const EncodedRows& rows) {
  const Plan lowered = with_rows(plan, rows);
  return Interpreter(lowered, std::move(imports), !rows.empty()).run();
}

Result<void> check_on_host(const Plan& plan, const ScanCase& scan) {
  const Image before = image_before(scan);
  EncodedRows rows;
  if (scan.encoded_rows) rows["scan"] = *scan.encoded_rows;
  const auto found = interpret(plan, before, rows);
  if (!found) return pass_on(found);
  const auto difference = first_difference(scan, image_after(scan, before), *found);
  if (!difference) return {};
  return fail(ErrorCode::verification_failed, *difference);
}

}  // namespace wgprim::testing
