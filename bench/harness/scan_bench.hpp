// The scan beside memory-moving kernels over the same arrays, in one run.
#pragma once

#include <string>
#include <vector>

#include "measure.hpp"
#include "wgprim/native.hpp"
#include "wgprim/ops.hpp"

namespace wgprim::bench {

struct ScanBenchOptions {
  ScanMode mode = ScanMode::exclusive;
  Path path = Path::automatic;
  std::vector<Subgroups> subgroups = {Subgroups::off};  ///< A variant each.
  bool has_all_baselines = false;  ///< Beside the copy: read-only, two reads and one write.
  MeasureOptions measure;
};

/// What one variant is, beside its times in the measurement at the same place.
struct BenchedVariant {
  std::string name;
  std::uint64_t bytes = 0;       ///< Read and written by one run.
  std::uint64_t dispatches = 0;  ///< Of one run.
};

/// The first variant is the copy.
struct ScanBenchResult {
  std::uint64_t rows = 0;
  std::vector<BenchedVariant> variants;
  Measurement measurement;
};

/// Errors: those of the device and of measure; 0 rows; a path or subgroups that the device lacks.
Result<ScanBenchResult> bench_scan(Device& device, std::uint64_t rows,
                                   const ScanBenchOptions& options);

}  // namespace wgprim::bench
