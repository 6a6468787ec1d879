// The buffers of a plan in host memory, with an inspector that watches what no device would tell:
// accesses outside a binding, reads of scratch that nothing wrote, writes to what may only be read,
// groups of one dispatch that touch each other's words. The interpreter of plans runs on it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/case.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// A word, and whether it comes of scratch that nothing wrote.
struct InspectedWord {
  std::uint32_t word = 0;
  bool is_stale = false;
};

class InspectedMemory {
 public:
  /// Imports come in the order of Plan::buffers; slots start out poisoned. Where stale words may be
  /// read, nothing that comes of them may reach an imported buffer.
  InspectedMemory(const Plan& plan, Image imports, bool may_read_stale);

  /// All accesses from now on are those of this group of this dispatch.
  void enter(std::uint32_t dispatch, std::uint32_t group);

  /// Word `at` of a binding of the dispatch.
  InspectedWord load(std::uint32_t binding, std::uint64_t at);
  void store(std::uint32_t binding, std::uint64_t at, InspectedWord value);

  /// A copy between dispatches.
  void copy(const PlanCopy& copy);

  /// Notes what is wrong with the present group, unless something was before.
  void report(std::string_view what);
  /// A sentence on the first thing that is wrong, or nothing.
  const std::string& fault() const { return fault_; }

  Image take_imports();

 private:
  /// One imported buffer, slot or constant.
  struct Memory {
    struct Trace {
      std::uint32_t written_by_buffer =
          0xffffffff;                       ///< The plan's buffer that last wrote the word.
      std::uint32_t dispatch = 0xffffffff;  ///< The last dispatch that touched it,
      std::uint32_t group = 0xffffffff;     ///< by this group,
      bool is_written = false;              ///< and whether it wrote.
      bool is_shared = false;               ///< Several groups of the dispatch read it.
      bool is_stale = false;                ///< It holds what comes of words nothing wrote.
    };
    Words words;
    std::vector<Trace> traces;

    explicit Memory(Words initial) : words(std::move(initial)), traces(words.size()) {}
  };

  /// What the present dispatch has at a binding.
  struct Bound {
    Memory* memory = nullptr;
    std::uint32_t buffer = 0;
    std::uint64_t first = 0;  ///< Word of the memory,
    std::uint64_t words = 0;  ///< and how many are there.
    bool is_scratch = false;
    bool is_writable = false;
  };

  const PlanKernel& kernel() const { return plan_.kernels[plan_.dispatches[dispatch_].kernel]; }
  Bound bound(const PlanBinding& binding);
  /// Null where there is no such word.
  const Bound* find(std::uint32_t binding, std::uint64_t at);
  void touch(Memory::Trace& trace, bool is_write);

  const Plan& plan_;
  bool may_read_stale_;
  std::vector<Memory> memories_;        // Slots, then the other buffers.
  std::vector<std::size_t> memory_of_;  // Of each buffer of the plan.
  std::uint32_t dispatch_ = 0xffffffff;
  std::uint32_t group_ = 0;
  std::vector<Bound> bounds_;  // By binding.
  std::string fault_;
};

}  // namespace wgprim::testing
