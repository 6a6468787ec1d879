// What is wrong with a command line that the parser refuses, as one sentence.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace wgprim::cli {

/// CLI11's words, but where they are a parser's: a value that is missing, given twice or not taken,
/// and a word that should have been a verb or an operation.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace wgprim::cli
