// The options of a scan, shared by the verbs that take one: scan, plan scan, check scan, bench
// scan; and those that a reduction has too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session.hpp"
#include "wgprim/ops.hpp"

namespace wgprim::cli {

/// The words of a scan's options. Which rows it is of, and so what --init means, may only show in
/// a file.
struct ScanChoices {
  ScanOptions options;
  std::optional<std::string> init;
  std::string dtype;  ///< Empty where not given.

  /// All of them for rows of that format. Errors: an --init that is no value of it.
  Result<ScanOptions> options_for(Format format) const;

  /// The same for the rows that --dtype names, uint32 where it is not given.
  Result<ScanOptions> options_without_file() const;
};

/// What a reduction may be told of a scan's options.
ReduceOptions reduce_options(const ScanOptions& options);

/// The options given that a reduction does not have, of a verb that takes those of a scan.
std::vector<const CLI::Option*> options_of_scan_alone(const CLI::App& verb);

/// "inclusive, max, reverse".
std::string describe(const ScanOptions& options);

/// What is computed: --inclusive, --exclusive.
void add_scan_mode(CLI::App& verb, ScanOptions& options);

/// And from what: --op, --reverse, --init.
void add_scan_operator(CLI::App& verb, ScanChoices& choices);

/// What a file would tell: --dtype and, as a flag, --segments.
void add_rows_without_file(CLI::App& verb, ScanChoices& choices);

/// --path alone.
void add_path(CLI::App& verb, Path& path);

/// How: --in-place, --path, --subgroups.
void add_scan_options(CLI::App& verb, ScanOptions& options);

/// --op, --path and --subgroups of any operation.
void add_operator(CLI::App& verb, OperatorKind& kind);
void add_subgroups(CLI::App& verb, Subgroups& subgroups);

}  // namespace wgprim::cli
