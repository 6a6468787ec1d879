// Kernels of the table in the specialisations that plans ask for: what golden files hold, and what
// both WGSL compilers must take.
#pragma once

#include <string>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

struct KernelVariant {
  std::string name;  ///< "scan_blocks.in_place.256", good for a file name.
  PlanKernel kernel;
};

/// The kernels of plans of scans and reductions that together use every fragment of every text
/// slot, on both paths, with subgroups and without, at workgroup widths 256, 128 and 64; and the
/// kernels that no plan of theirs uses, at the same widths. No two have the same text.
std::vector<KernelVariant> kernel_variants();

}  // namespace wgprim::testing
