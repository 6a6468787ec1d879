// Runs a plan on host memory, dispatch by dispatch, exactly as its shapes, bindings, parameters and
// chunk tables say, with an inspector that watches every access (support/inspected_memory.hpp).
// Knows the kernels of scans and reductions in every specialisation (support/row_kernels.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "support/case.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// Row counts below their capacities that an encode gives to nodes, by id.
using EncodedRows = std::map<std::string, std::uint64_t>;

/// The plan as an encode with these row counts runs it: parameter words, shapes and dispatches left
/// out as PlanExtent says.
Plan with_rows(const Plan& plan, const EncodedRows& rows);

/// Runs `plan` on the imported buffers, which come in the order of Plan::buffers. Slots start out
/// poisoned. Row counts may leave words of scratch unwritten: then these may be read, but nothing
/// that comes of them may reach an imported buffer.
/// Errors: internal, with a sentence on the first thing that is wrong.
Result<Image> interpret(const Plan& plan, Image imports, const EncodedRows& rows = {});

/// Interprets the plan of a case and compares every word of every buffer with the oracle.
/// Errors: as above, and verification_failed.
Result<void> check_on_host(const Plan& plan, const ScanCase& scan);

}  // namespace wgprim::testing
