// The hand-made plans as files: what executors in other languages run is what the gpu ring runs
// here.
#include <gtest/gtest.h>

#include "support/golden.hpp"
#include "support/golden_plans.hpp"
#include "wgprim/document.hpp"

namespace wgprim::testing {
namespace {

TEST(ExecutorPlans, FilesHoldTheHandMadePlans) {
  for (const GoldenPlan& golden : golden_plans()) {
    const std::string text = to_json(golden.plan);
    EXPECT_TRUE(matches_golden("executor/" + golden.name + ".json", text));
    const auto read = plan_from_json(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, golden.plan) << golden.name;
  }
}

}  // namespace
}  // namespace wgprim::testing
