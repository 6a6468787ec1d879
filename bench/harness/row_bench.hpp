// Scans and reductions beside memory-moving kernels over the same arrays, in one run.
#pragma once

#include <string>
#include <vector>

#include "measure.hpp"
#include "wgprim/native.hpp"
#include "wgprim/ops.hpp"

namespace wgprim::bench {

struct RowBenchOptions {
  bool is_reduction = false;
  ScanOptions rows;               ///< What is computed; of a reduction format, operator and path.
  double segment_density = 0.01;  ///< Share of rows that start a segment, where there are any.
  std::vector<Subgroups> subgroups = {Subgroups::off};  ///< A variant each.
  bool has_all_baselines = false;  ///< Beside the one that serves: all other traffic.
  MeasureOptions measure;
};

/// What one variant is, beside its times in the measurement at the same place.
struct BenchedVariant {
  std::string name;
  std::uint64_t bytes = 0;       ///< Read and written by one run.
  std::uint64_t dispatches = 0;  ///< Of one run.
};

/// The first variant is the copy. A reduction has "read only" next, a scan with segments "two
/// reads, one write".
struct RowBenchResult {
  std::uint64_t rows = 0;
  std::vector<BenchedVariant> variants;
  Measurement measurement;
};

/// Errors: those of the device and of measure; 0 rows; a path or subgroups that the device lacks.
Result<RowBenchResult> bench_rows(Device& device, std::uint64_t rows,
                                  const RowBenchOptions& options);

}  // namespace wgprim::bench
