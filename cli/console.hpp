// Speaking to people and to programs: text and JSON on stdout, sentences on stderr.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "wgprim/result.hpp"

namespace wgprim::cli {

using Json = nlohmann::ordered_json;

/// Occupies standard streams that the parent closed: else the next file opened, perhaps the output,
/// gets the number of one, and what is said lands in it. Comes before anything is opened.
void occupy_closed_streams();

/// Writes to stdout. A closed pipe is no error: its reader has had enough.
Result<void> print(std::string_view text);
Result<void> print_json(const Json& json);

/// Writes "wgprim: SENTENCE" to stderr, as far as that can be written.
void say(std::string_view sentence);

}  // namespace wgprim::cli
