// Golden files: texts under tests/golden/ that a change must not alter unseen.
// WGPRIM_UPDATE_GOLDEN=1 in the environment rewrites them; the change is then seen in review.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace wgprim::testing {

/// `name` is a path below tests/golden/. A failure shows the lines that differ.
::testing::AssertionResult matches_golden(std::string_view name, std::string_view text);

/// The lines that are not in both, in order: "-3: left", "+3: right".
std::string line_diff(std::string_view left, std::string_view right);

}  // namespace wgprim::testing
