// Every kernel of the table in every specialisation that a plan can ask for: what golden files
// hold, and what both WGSL compilers must take.
#pragma once

#include <string>
#include <vector>

#include "wgprim/plan.hpp"

namespace wgprim::testing {

struct KernelVariant {
  std::string name;  ///< "scan_blocks.source_in_place.128", good for a file name.
  PlanKernel kernel;
};

/// Kernels x fragments of their `source` slot x rows as planned or counted on the device x
/// workgroup widths 256, 128 and 64.
std::vector<KernelVariant> kernel_variants();

}  // namespace wgprim::testing
