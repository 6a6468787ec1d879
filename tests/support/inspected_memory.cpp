// Words with traces of who touched them; see the header.
#include "support/inspected_memory.hpp"

#include <algorithm>
#include <utility>

#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint32_t kPoison = 0xdeadbeef;

}  // namespace

InspectedMemory::InspectedMemory(const Plan& plan, Image imports, bool may_read_stale)
    : plan_(plan), may_read_stale_(may_read_stale) {
  for (const PlanSlot& slot : plan.slots)
    memories_.emplace_back(Words(slot.bytes / 4, kPoison));
  auto next_import = imports.begin();
  for (const PlanBuffer& buffer : plan.buffers) {
    const bool is_transient = buffer.role == BufferRole::transient;
    memory_of_.push_back(is_transient ? buffer.slot.value_or(0) : memories_.size());
    if (buffer.role == BufferRole::imported) memories_.emplace_back(std::move(*next_import++));
    if (buffer.role == BufferRole::constant) memories_.emplace_back(buffer.words);
    if (buffer.role == BufferRole::state) memories_.emplace_back(Words(buffer.bytes / 4));
  }
}

void InspectedMemory::enter(std::uint32_t dispatch, std::uint32_t group) {
  group_ = group;
  if (dispatch_ == dispatch) return;
  dispatch_ = dispatch;
  bounds_.clear();
  for (const PlanBinding& binding : plan_.dispatches[dispatch].bindings) {
    if (bounds_.size() <= binding.binding) bounds_.resize(binding.binding + 1);
    bounds_[binding.binding] = bound(binding);
  }
}

InspectedMemory::Bound InspectedMemory::bound(const PlanBinding& binding) {
  Memory& memory = memories_[memory_of_[binding.buffer]];
  const std::uint64_t first = std::min<std::uint64_t>(binding.offset / 4, memory.words.size());
  const KernelBinding writable{binding.binding, Access::storage_read_write};
  return {.memory = &memory,
          .buffer = binding.buffer,
          .first = first,
          .words = std::min<std::uint64_t>(binding.bytes / 4, memory.words.size() - first),
          .is_scratch = plan_.buffers[binding.buffer].role == BufferRole::transient,
          .is_writable = std::ranges::find(kernel().bindings, writable) != kernel().bindings.end()};
}

InspectedWord InspectedMemory::load(std::uint32_t binding, std::uint64_t at) {
  const Bound* bound = find(binding, at);
  if (bound == nullptr) return {};
  Memory::Trace& trace = bound->memory->traces[bound->first + at];
  bool is_stale = trace.is_stale;
  if (bound->is_scratch && trace.written_by_buffer != bound->buffer) {
    is_stale = true;
    if (!may_read_stale_) {
      report(concat("reads word ", at, " of binding ", binding, ", which nothing wrote"));
    }
  }
  touch(trace, false);
  return {bound->memory->words[bound->first + at], is_stale};
}

void InspectedMemory::store(std::uint32_t binding, std::uint64_t at, InspectedWord value) {
  const Bound* bound = find(binding, at);
  if (bound == nullptr) return;
  if (!bound->is_writable) {
    report(concat("writes binding ", binding, ", which it may only read"));
  }
  if (value.is_stale && !bound->is_scratch) {
    report(concat("writes word ", at, " of binding ", binding, " from what nothing wrote"));
  }
  Memory::Trace& trace = bound->memory->traces[bound->first + at];
  trace.written_by_buffer = bound->buffer;
  trace.is_stale = value.is_stale;
  touch(trace, true);
  bound->memory->words[bound->first + at] = value.word;
}

void InspectedMemory::copy(const PlanCopy& copy) {
  const Memory& from = memories_[memory_of_[copy.source]];
  Memory& to = memories_[memory_of_[copy.destination]];
  for (std::uint64_t i = 0; i < copy.bytes / 4; ++i) {
    const std::uint64_t at = copy.destination_offset / 4 + i;
    to.words.at(at) = from.words.at(copy.source_offset / 4 + i);
    to.traces.at(at) = {.written_by_buffer = copy.destination};
  }
}

void InspectedMemory::report(std::string_view what) {
  if (!fault_.empty()) return;
  fault_ = concat("Dispatch ", dispatch_, " (", kernel().name, "), group ", group_, " ", what, ".");
}

Image InspectedMemory::take_imports() {
  Image imports;
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    if (plan_.buffers[i].role == BufferRole::imported) {
      imports.push_back(std::move(memories_[memory_of_[i]].words));
    }
  }
  return imports;
}

const InspectedMemory::Bound* InspectedMemory::find(std::uint32_t binding, std::uint64_t at) {
  if (binding < bounds_.size() && at < bounds_[binding].words) return &bounds_[binding];
  report(concat("touches word ", at, " beyond binding ", binding));
  return nullptr;
}

void InspectedMemory::touch(Memory::Trace& trace, bool is_write) {
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

}  // namespace wgprim::testing
