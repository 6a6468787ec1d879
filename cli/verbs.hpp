// The verbs of the command line. Each adds itself with its options and returns what to run.
#pragma once

#include "session.hpp"

namespace wgprim::cli {

Verb add_info(CLI::App& verb);
Verb add_scan(CLI::App& verb);
Verb add_reduce(CLI::App& verb);
Verb add_run(CLI::App& verb);
Verb add_plan(CLI::App& verb);
Verb add_shader(CLI::App& verb);
Verb add_check(CLI::App& verb);
Verb add_bench(CLI::App& verb);

}  // namespace wgprim::cli
