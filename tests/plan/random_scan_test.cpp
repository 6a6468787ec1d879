// What must hold for every scan, tried on random chunkings, offsets and limits (RapidCheck; a
// failure prints the shrunk case and an RC_PARAMS line that repeats it).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/random_scan.hpp"

namespace wgprim::testing {
namespace {

Plan plan_of(const RandomScan& random) {
  auto plan = plan_scan(random.scan, random.profile);
  if (!plan) RC_FAIL(plan.error().message);
  return *std::move(plan);
}

RC_GTEST_PROP(RandomScanTest, plans_break_no_rule, ()) {
  const RandomScan random = *random_scans();
  RC_ASSERT(find_faults(plan_of(random), random.profile) == std::vector<std::string>());
}

RC_GTEST_PROP(RandomScanTest, plans_compute_the_oracles_result_and_touch_nothing_else, ()) {
  const RandomScan random = *random_scans();
  const auto checked = check_on_host(plan_of(random), random.scan);
  if (!checked) RC_FAIL(checked.error().message);
}

RC_GTEST_PROP(RandomScanTest, equal_graphs_give_equal_plans, ()) {
  const RandomScan random = *random_scans();
  RC_ASSERT(plan_of(random) == plan_of(random));
}

}  // namespace
}  // namespace wgprim::testing
