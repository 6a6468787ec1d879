// What WebGPU asks of a plan, where both the planner and the executor hold plans to it.
#pragma once

#include <cstdint>

#include "wgprim/plan.hpp"

namespace wgprim {

/// WebGPU's default limit, which no device goes below.
inline constexpr std::uint32_t kMaxBindingNumber = 999;

/// Workgroup counts on the device are three words.
inline constexpr std::uint64_t kIndirectRecordBytes = 12;

inline bool is_storage(Access access) {
  return access == Access::storage_read || access == Access::storage_read_write;
}

/// Bindings by the limit that they count for; parameters are bound as a uniform buffer.
struct BindingCounts {
  std::uint64_t storage = 0;
  std::uint64_t uniform = 0;
};

inline BindingCounts count_bindings(const PlanKernel& kernel) {
  BindingCounts counts;
  for (const KernelBinding& binding : kernel.bindings)
    (is_storage(binding.access) ? counts.storage : counts.uniform) += 1;
  return counts;
}

inline std::uint64_t ceil_divide(std::uint64_t value, std::uint64_t divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

}  // namespace wgprim
