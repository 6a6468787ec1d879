// Plans as JSON: the form that browsers run and golden tests compare. Strict: an unknown, missing
// or repeated key is an error that names the key and its place.
#pragma once

#include <string>
#include <string_view>

#include "wgprim/plan.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// One item of a list a line, keys always in the same order: made for line-by-line comparison.
std::string to_json(const Plan& plan);

/// The plan that `to_json` wrote: plan_from_json(to_json(plan)) == plan. Totals are read as they
/// stand. Indices are not checked here; Executable::create checks a plan whole.
/// Errors: invalid_file with the key and its place.
Result<Plan> plan_from_json(std::string_view text);

}  // namespace wgprim
