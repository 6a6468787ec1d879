// Scans and reductions within a bound on device memory: the array goes through the device piece by
// piece, and what the pieces so far came to stays on the device. The array may be larger than host
// memory, too, if its source and its sink hold only parts of it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "wgprim/wgprim.hpp"

namespace wgprim {

/// The words of rows [first, first + count); valid until the next call.
using RowsAt =
    std::function<Result<std::span<const std::uint32_t>>(std::uint64_t first, std::uint64_t count)>;

/// Where the rows of an array come from.
struct PieceSource {
  std::uint64_t rows = 0;
  RowsAt input;  ///< Packed rows of the options' format.
  RowsAt flags;  ///< One word a row; asked only where the scan has segments.
};

/// Takes words of the result, which stand behind `first_word` words of it; each is valid during the
/// call only. Pieces come in the order of the scan, from the last to the first where it is reverse;
/// the words of one piece in the order of memory.
using PieceSink =
    std::function<Result<void>(std::uint64_t first_word, std::span<const std::uint32_t> words)>;

/// The scan of all rows. Every buffer made counts against `memory_bytes`: input, output, flags,
/// carries, scratch, parameters, staging. Integers, minima and maxima have the bits that one scan
/// of the whole has; float32 sums are added in an order that `memory_bytes` has a part in.
/// Counts in the report are sums over pieces, scratch_bytes is what is held at once.
/// Errors: limit_exceeded for too little memory, with the least that does; options that place
/// arrays (invalid_argument); those of plan_scan, the device, source and sink.
Result<ScanReport> scan_in_pieces(Device& device, const PieceSource& source, const PieceSink& sink,
                                  const ScanOptions& options, std::uint64_t memory_bytes,
                                  const ProgressSink& progress = {});

/// The same of a reduction.
Result<ReduceReport> reduce_in_pieces(Device& device, const PieceSource& source,
                                      const ReduceOptions& options, std::uint64_t memory_bytes,
                                      const ProgressSink& progress = {});

}  // namespace wgprim
