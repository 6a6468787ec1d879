// Scans whose results are stated by hand in the case table and in the contract. The plan ring runs
// them on the host, the gpu ring on a device, both on every path.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "support/case.hpp"

namespace wgprim::testing {

struct StatedScan {
  ScanCase scan;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;  ///< Rows and their results.
  std::optional<std::uint32_t> carry_out = {};
};

/// A sentence on the first statement that the buffers after the scan do not bear out.
std::optional<std::string> first_untruth(const StatedScan& stated, const Image& after);

using StatedScans = std::vector<StatedScan>;

StatedScans scans_of_a02_to_a06();
StatedScans scans_of_a10();
StatedScans scans_of_a11();
StatedScans scans_of_a14();
StatedScans scans_of_a16();
StatedScans scans_of_a17();
StatedScans scans_of_a20();
StatedScans scans_of_a22();
StatedScans scans_of_j03();
StatedScans scans_of_k01();
StatedScans scans_of_k02();
StatedScans scans_of_k03();
StatedScans scans_of_sc_7();

}  // namespace wgprim::testing
