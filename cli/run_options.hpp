// The words of `wgprim run`: which file goes to which buffer, which buffer or view to which file,
// which conditions hold.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wgprim/budget.hpp"
#include "wgprim/result.hpp"

namespace wgprim::cli {

struct RunCommand {
  std::string graph;
  std::vector<std::string> binds;       ///< "BUFFER=FILE".
  std::vector<std::string> outs;        ///< "NAME=FILE".
  std::vector<std::string> parameters;  ///< "PARAM=true|false".
  std::uint64_t repeat = 1;
  std::optional<std::string> budget;
  bool is_timed = false;
};

/// A name on the left of '=' and what stands on its right.
struct Assignment {
  std::string name;
  std::string value;
};

/// The words understood; names are those of the graph, which has not been asked yet.
struct RunWords {
  std::vector<Assignment> binds;
  std::vector<Assignment> outs;
  std::map<std::string, bool> parameters;
  std::optional<Budget> budget;
};

void add_run_options(CLI::App& verb, RunCommand& command);

/// Errors (invalid_argument): a word without '=', a buffer bound or a parameter set twice, a value
/// that is neither true nor false, two that want standard input or standard output, 0 repeats, and
/// those of parse_budget.
Result<RunWords> parse_words(const RunCommand& command, bool is_json);

}  // namespace wgprim::cli
