// The one-call forms: host memory in, result out, everything in between on the GPU.
// For work that stays on the GPU build a Graph (graph.hpp), or take compile_scan below.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wgprim/graph.hpp"
#include "wgprim/native.hpp"

namespace wgprim {

/// Exclusive prefix sums modulo 2^32: row i is the sum of the rows before i.
/// Returns as many rows as come in (0 to 2^32 - 1). Errors: those of the device.
Result<std::vector<std::uint32_t>> exclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input);

/// Inclusive prefix sums modulo 2^32: row i is the sum of the rows up to and including i.
Result<std::vector<std::uint32_t>> inclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input);

/// A scan of `rows` packed uint32 rows, ready to be recorded into any encoder of the device any
/// number of times. Its imports are those of plan_scan: "input" and "output", or "data" where it is
/// in place; each starts at byte 0 and holds at least `rows` rows.
///
///     auto scan = wgprim::compile_scan(device, rows, {.mode = wgprim::ScanMode::inclusive});
///     const wgprim::Import imports[] = {{"input", input}, {"output", output}};
///     scan->encode(encoder, {.imports = imports});
Result<Executable> compile_scan(Device& device, std::uint64_t rows,
                                const ScanOptions& options = {});

/// What a one-call scan did, counted by its plan.
struct ScanReport {
  std::string path;
  std::string reason;
  std::uint64_t rows = 0;
  std::uint64_t dispatches = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t scratch_bytes = 0;
  std::optional<double> gpu_ns;  ///< Of the dispatches alone; nothing where they were not timed.
  bool uses_subgroups = false;
  bool is_deterministic = true;
};

/// Rows of the result, in order, a piece at a time; each is valid during the call only.
/// An error ends the scan and is returned.
using RowSink = std::function<Result<void>(std::span<const std::uint32_t>)>;

/// Hears how far a stage ("upload", "scan", "read back") has come, in rows.
using ProgressSink =
    std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)>;

/// The general form. Input beyond the adapter's largest buffer is held in several.
Result<ScanReport> scan(Device& device, std::span<const std::uint32_t> input, const RowSink& output,
                        const ScanOptions& options = {}, const ProgressSink& progress = {});

/// A graph made ready on a device: planned for its profile, then Executable::create. Freezes the
/// graph. Errors: those of both.
Result<Executable> compile(Device& device, Graph& graph);

}  // namespace wgprim
