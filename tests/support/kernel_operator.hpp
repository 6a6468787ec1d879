// The operators of scan and reduce in tests: what a plan's kernels combine rows with, as the scalar
// oracle's operator, and custom operators whose WGSL has such an operator beside it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reference/row_operators.hpp"
#include "wgprim/ops.hpp"
#include "wgprim/plan.hpp"

namespace wgprim::testing {

/// An operator of a user's own, in WGSL and for the oracle.
struct CustomOperator {
  std::string name;
  std::string wgsl;
  reference::RowOperator oracle;

  Operator description() const { return {OperatorKind::custom, wgsl, oracle.words}; }
};

/// One for each row width of 1 to 4 words, in this order; none commutes.
std::span<const CustomOperator> custom_operators();

/// The fragment that fills a kernel's slot, whether the plan names it or leaves the default.
std::string_view fragment_of(const PlanKernel& kernel, std::string_view slot);

/// The value of a kernel's constant, the plan's or the default.
std::uint32_t constant_of(const PlanKernel& kernel, std::string_view name);

/// By the slots `operator` and `order`. Throws std::runtime_error for what it does not know.
reference::RowOperator operator_of(const PlanKernel& kernel);

/// What the description means for rows of this format. Throws std::runtime_error for a custom text
/// that is not one of custom_operators.
reference::RowOperator oracle_of(const Operator& op, Format format);

}  // namespace wgprim::testing
