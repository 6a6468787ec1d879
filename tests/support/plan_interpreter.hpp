// Runs a plan on host memory, dispatch by dispatch, exactly as its shapes, bindings and parameters
// say, and watches what no device would tell: accesses outside a binding, reads of scratch that
// nothing wrote, groups of one dispatch that touch each other's words.
// Knows the kernels of path `chained`; each block is computed as a whole, so that this is a check
// of plans, not of shader text.
#pragma once

#include <string>

#include "support/case.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Runs `plan` on the imported buffers, which come in the order of Plan::buffers. Slots start out
/// poisoned. Errors: internal, with a sentence on the first thing that is wrong.
Result<Image> interpret(const Plan& plan, Image imports);

/// Interprets the plan of a case and compares every word of every buffer with the oracle.
/// Errors: as above, and verification_failed.
Result<void> check_on_host(const Plan& plan, const ScanCase& scan);

}  // namespace wgprim::testing
