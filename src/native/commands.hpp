// The commands of a plan in a row, so that those of any range of nodes are found at once. Made with
// an executable; read by the recorder and by the tables that ask which node uses what.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::native {

struct Command {
  enum class Kind : std::uint8_t { dispatch, copy, clear, external };
  Kind kind = Kind::dispatch;
  std::uint32_t node = 0;
  std::uint32_t index = 0;  ///< Into Plan::dispatches; for all others into Plan::passes.
};

class CommandList {
 public:
  /// Of a checked plan, whose commands come in the order of their nodes.
  explicit CommandList(const Plan& plan);

  std::span<const Command> all() const { return commands_; }
  /// Those of nodes [first, end).
  std::span<const Command> of_nodes(std::uint32_t first, std::uint32_t end) const {
    return std::span(commands_).subspan(first_[first], first_[end] - first_[first]);
  }

 private:
  std::vector<Command> commands_;
  std::vector<std::uint32_t> first_;  ///< By node, and one more: its first command.
};

}  // namespace wgprim::native
