// Random scans for RapidCheck: any rows (split ones, too) and operator, with segments, reverse,
// from a value or a carry; any chunking, any mixture of buffers, any offsets, in place, disjoint
// ranges of one buffer, and limits so low that a few thousand rows need everything the planner has.
#pragma once

#include <rapidcheck.h>

#include "support/case.hpp"

namespace wgprim::testing {

struct RandomScan {
  ScanCase scan;  ///< Valid, with limits that allow it.
  DeviceProfile profile;
};

std::ostream& operator<<(std::ostream& stream, const RandomScan& random);

rc::Gen<RandomScan> random_scans();

/// Random scans on fewer rows than planned for: by a count given per encode, one on the device (in
/// a buffer of its own or beside input rows), or both.
rc::Gen<RandomScan> random_counted_scans();

/// Random scans of split rows, some of them on fewer rows.
rc::Gen<RandomScan> random_split_scans();

}  // namespace wgprim::testing
