// Arrays in chunks, as the command line says: --chunks, --chunks-flags, --chunks-out of the verbs
// that scan or plan a scan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session.hpp"
#include "wgprim/ops.hpp"

namespace wgprim::cli {

/// The words of the three options.
struct ChunkChoices {
  std::optional<std::string> all;
  std::optional<std::string> flags;
  std::optional<std::string> output;

  bool is_given() const { return all || flags || output; }

  /// Writes the chunks into the options of a scan of so many rows, which say whether it has
  /// segments and whether it is in place. Errors: words that are no list of numbers, a list that
  /// does not add up to the rows, one that has no meaning for such a scan.
  Result<void> apply_to(ScanOptions& options, std::uint64_t rows) const;
};

void add_chunks(CLI::App& verb, ChunkChoices& choices);

}  // namespace wgprim::cli
