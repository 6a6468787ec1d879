// A handful of small kernels such as users write, for graphs in tests. Together they have every
// access, workgroup sizes as numbers, named constants and overrides, and one to three bindings.
#pragma once

#include <vector>

#include "wgprim/ops.hpp"

namespace wgprim::testing {

struct UserKernel {
  const char* wgsl;
  std::vector<Use> uses;  ///< Of bindings 0, 1, ...
};

const std::vector<UserKernel>& user_kernels();

}  // namespace wgprim::testing
