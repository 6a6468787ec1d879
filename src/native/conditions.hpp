// Which nodes an encode runs, by the conditions that it was given. Called by Executable::encode and
// begin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "native/id_index.hpp"
#include "native/resolution.hpp"
#include "wgprim/native.hpp"

namespace wgprim::native {

class ConditionTable {
 public:
  explicit ConditionTable(const Plan& plan);

  /// Fills `resolution.key.active_nodes`. Errors: a missing, unknown or repeated parameter.
  Result<void> resolve(const Plan& plan, std::span<const Parameter> parameters,
                       Resolution& resolution) const;

 private:
  IdIndex by_name_;                     ///< The first node with the condition stands for it.
  std::vector<std::uint32_t> leaders_;  ///< By node: that first node; kNone without condition.
};

}  // namespace wgprim::native
