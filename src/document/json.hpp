// JSON as a tree. Called for every document that is read; what documents mean is in the readers.
#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

#include "wgprim/result.hpp"

namespace wgprim {

using Json = nlohmann::ordered_json;

/// Parses a whole document in time and memory linear in its length. Errors (invalid_file): text
/// that is no JSON, with line and column; a repeated key, with its place; nesting deeper than 32.
Result<Json> parse_json(std::string_view text);

}  // namespace wgprim
