// The random cases of `wgprim check`: what a case is, how the seed makes it, the line that repeats
// it. What the command line leaves open is random, in an order of draws that options do not change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chunks.hpp"
#include "scan_options.hpp"
#include "session.hpp"

namespace wgprim::cli {

struct CheckCommand {
  std::string operation;
  std::optional<std::uint64_t> rows;
  std::optional<std::string> mode;
  std::uint64_t seed = 1;
  std::uint64_t cases = 100;
  ScanChoices choices;
  ChunkChoices chunks;
  std::string scan_option;  ///< One that was given and belongs to scans alone.

  bool is_scan() const { return operation == "scan"; }
};

/// An operation on `rows` random rows; everything follows from these values.
struct CheckCase {
  std::string operation;
  std::uint64_t rows = 0;
  std::uint64_t seed = 0;
  ScanOptions options;  ///< Of a reduction only some count.
  std::string words;    ///< Of the command line, beyond rows, mode and seed.

  /// The command that runs this case alone, on a device asked for in the same way.
  std::string reproduction(const DeviceRequest& request) const;

  std::vector<std::uint32_t> input() const;
  /// Segments of a few rows, or of more than a workgroup takes; none where there are none.
  std::vector<std::uint32_t> flags() const;
};

/// Errors: chunks that do not fit the case's rows.
Result<CheckCase> make_case(const CheckCommand& command, const ScanOptions& options,
                            std::uint64_t index);

}  // namespace wgprim::cli
