// Pieces of which hand-made plans are put together.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

inline constexpr Access kRead = Access::storage_read;
inline constexpr Access kWrite = Access::storage_read_write;
inline constexpr Access kParameters = Access::parameters;

PlanNode node(std::string id, std::string condition = {});

PlanDispatch dispatch(std::uint32_t node, std::uint32_t kernel, std::string label,
                      std::vector<PlanBinding> bindings, std::vector<std::uint32_t> parameters,
                      Shape shape);

/// A kernel of the user's own. Bindings are numbered from 0 in the order of `accesses`.
PlanKernel kernel(std::string name, const char* wgsl, const std::vector<Access>& accesses,
                  std::vector<std::pair<std::string, std::uint32_t>> constants = {});

}  // namespace wgprim::testing
