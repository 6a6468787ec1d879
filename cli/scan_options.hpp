// The options of a scan, shared by the verbs that take one: scan, plan scan, check scan, bench
// scan.
#pragma once

#include "session.hpp"
#include "wgprim/ops.hpp"

namespace wgprim::cli {

/// What is computed: --inclusive, --exclusive.
void add_scan_mode(CLI::App& verb, ScanOptions& options);

/// --path alone.
void add_scan_path(CLI::App& verb, ScanOptions& options);

/// How: --in-place, --path, --subgroups.
void add_scan_options(CLI::App& verb, ScanOptions& options);

}  // namespace wgprim::cli
