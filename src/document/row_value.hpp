// The value of one row in documents: a number; for 64 bits also a decimal string; for float32 also
// "nan", "inf" and "-inf"; for records a list of words.
#pragma once

#include <optional>

#include "document/json.hpp"
#include "wgprim/ops.hpp"

namespace wgprim {

/// Nothing where the value is none of the format.
std::optional<RowValue> read_row_value(const Json& value, Format format);

}  // namespace wgprim
