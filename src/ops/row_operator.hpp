// Operators as the kernels take them: what their text slots hold. Called by every operation that
// combines rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wgprim/ops.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// What a row is and how two become one.
struct RowOperator {
  std::uint32_t words = 1;  ///< Of a row.
  std::string_view fragment = "op_add";
  std::string_view order = {};  ///< Fragment that orders elements, for min and max,
  std::string_view code = {};   ///< and the one that makes elements of rows, where they are keys.
  std::string wgsl = {};        ///< Of a custom one.

  /// Whether subgroups have an instruction for it.
  bool is_native() const { return fragment == "op_add"; }
  /// Whether it does the same to rows of both.
  bool operator==(const RowOperator&) const = default;
};

/// Errors: a record format without a custom operator, or one whose rows are not as wide as the
/// format's; a custom operator's text that holds more than functions, constants, aliases and
/// structs. `what` names the operation in messages.
Result<RowOperator> row_operator(const Operator& op, Format format, std::string_view what);

}  // namespace wgprim
