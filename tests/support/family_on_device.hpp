// A fixture that runs scans and reductions on a device in each way that must not change the result:
// both paths, with subgroups where the device has them and without.
#pragma once

#include <span>

#include "support/gpu_fixture.hpp"
#include "support/reduce_case.hpp"
#include "support/scan_on_device.hpp"
#include "support/stated_scans.hpp"

namespace wgprim::testing {

struct Way {
  Path path;
  Subgroups subgroups;
};

std::ostream& operator<<(std::ostream& stream, const Way& way);

class FamilyOnDevice : public GpuTest {
 protected:
  static std::vector<Way> ways();

  /// Every word of every buffer is as the oracle says, each of `runs` times.
  static void expect_right(ScanCase scan, int runs = 2);
  /// The same, and after two runs.
  static void expect_right(ReduceCase reduce);

  /// The words stated for the rows of the output, bit for bit; the oracle is not asked.
  static void expect_output(ScanCase scan, const Words& stated);
  static void expect_output(ReduceCase reduce, const Words& stated);

  /// The oracle and the hand that wrote the case down agree with the device.
  static void expect_stated(const StatedScans& scans);
};

}  // namespace wgprim::testing
