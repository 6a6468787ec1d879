// Every kernel variant becomes a pipeline through wgpu-native (naga); the same texts go through
// Tint in tests/shaders/tint.test.mjs.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/gpu_fixture.hpp"
#include "support/kernel_variants.hpp"
#include "support/mutation.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

class KernelsTest : public GpuTest {
 protected:
  /// Makes the kernel's pipeline, which is new: no cache may answer for it.
  void expect_pipeline(PlanKernel kernel, std::string_view name) {
    kernel.wgsl = concat(text_of(kernel), "// ", name, ", compiled anew.\n");
    kernel.operator_wgsl.clear();  // It is in the text.
    const std::uint64_t before = device().creation_counts().pipelines;
    Plan plan;
    plan.kernels = {std::move(kernel)};
    const auto executable = Executable::create(device(), std::move(plan));
    EXPECT_TRUE(executable) << name << ": " << executable.error().message;
    EXPECT_EQ(device().creation_counts().pipelines, before + 1) << name;
  }
};

TEST_F(KernelsTest, every_variant_makes_a_pipeline) {
  const bool has_subgroups = must(device().profile()).capabilities.subgroups;
  int count = 0;
  for (const KernelVariant& variant : kernel_variants()) {
    if (variant.kernel.uses_subgroups && !has_subgroups) continue;
    expect_pipeline(variant.kernel, variant.name);
    ++count;
    PlanKernel other = variant.kernel;
    for (const char* constant : {"IS_INCLUSIVE", "IS_REVERSE"}) {
      if (text_of(other).find(concat("override ", constant)) == std::string::npos) continue;
      std::erase_if(other.constants, [&](const auto& given) { return given.first == constant; });
      other.constants.emplace_back(constant, 1);
    }
    std::ranges::sort(other.constants);
    if (other.constants != variant.kernel.constants) {
      expect_pipeline(other, concat(variant.name, ", inclusive and reverse"));
    }
  }
  EXPECT_GE(count, 50) << "the portable ones";
}

TEST_F(KernelsTest, a_text_that_does_not_compile_is_an_error_with_its_place) {
  Plan plan;
  plan.kernels = {{.name = "broken", .wgsl = "@compute @workgroup_size(1) fn broken() { x = 1; }"}};
  const auto executable = Executable::create(device(), std::move(plan));
  ASSERT_FALSE(executable);
  EXPECT_EQ(executable.error().code, ErrorCode::invalid_argument);
  EXPECT_NE(executable.error().message.find("wgsl:1:43"), std::string::npos)
      << executable.error().message;
}

}  // namespace
}  // namespace wgprim::testing
