// The cases of sums of split 64-bit words (contract U-1 to U-3, cases C), for the plan ring, which
// runs them on the host, and the gpu ring.
#pragma once

#include <string>
#include <vector>

#include "support/case.hpp"

namespace wgprim::testing {

struct SplitCase {
  std::string name;  ///< Good for the name of a test: "case_C05".
  ScanCase scan;
};

/// Inclusive sums of the low words 0xffffffff 1 0 0xfffffffe 3 5 and the high words 0xffffffff 0 1
/// 3 0xfffffffe 0, again and again, into outputs of three more rows, but where high words go back
/// to their own buffer.
std::vector<SplitCase> split_cases();

/// Every row carries into its high word, or only the last of each block and chunk does (scenario
/// M6), over blocks, tiles and chunks that end elsewhere.
std::vector<SplitCase> split_carries();

}  // namespace wgprim::testing
