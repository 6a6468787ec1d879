// Limits and capabilities by name: what is taken, and the sentence for what is not.
#include "wgprim/limits.hpp"

#include <gtest/gtest.h>

namespace wgprim {
namespace {

std::string message(const Result<void>& result) { return result ? "" : result.error().message; }

TEST(LimitsTest, every_limit_can_be_lowered_by_its_webgpu_name) {
  for (const LimitName& limit : limit_names()) {
    Limits limits;
    const std::uint64_t lower = limits.*limit.member - 1;
    ASSERT_TRUE(lower_limit(limits, std::string(limit.name) + "=" + std::to_string(lower)));
    Limits expected;
    expected.*limit.member = lower;
    EXPECT_EQ(limits, expected) << limit.name;
  }
  EXPECT_EQ(limit_names().size(), sizeof(Limits) / sizeof(std::uint64_t));
}

TEST(LimitsTest, a_limit_may_keep_its_value_but_not_grow) {
  Limits limits;
  EXPECT_TRUE(lower_limit(limits, "maxBufferSize=268435456"));
  const auto raised = lower_limit(limits, "maxBufferSize=268435457");
  EXPECT_EQ(message(raised),
            "Limit 'maxBufferSize' is given as 268435457, above what there is (268435456); a limit "
            "can only be lowered.");
  EXPECT_EQ(raised.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(limits, Limits());
}

TEST(LimitsTest, what_is_no_positive_number_is_refused) {
  for (const char* value : {"0", "-1", "", "4k", "0x10", " 4", "4 ", "18446744073709551616"}) {
    Limits limits;
    EXPECT_EQ(
        message(lower_limit(limits, std::string("maxBufferSize=") + value)),
        std::string("Limit 'maxBufferSize' is given as '") + value + "' (a positive number).");
    EXPECT_EQ(limits, Limits());
  }
}

TEST(LimitsTest, an_unknown_limit_is_refused_with_the_known_names) {
  Limits limits;
  const auto lowered = lower_limit(limits, "maxBufferSiz=4");
  EXPECT_EQ(
      message(lowered),
      "There is no limit 'maxBufferSiz' (maxBufferSize, maxStorageBufferBindingSize, "
      "maxUniformBufferBindingSize, "
      "maxStorageBuffersPerShaderStage, maxUniformBuffersPerShaderStage, "
      "maxComputeWorkgroupStorageSize, "
      "maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX, maxComputeWorkgroupSizeY, "
      "maxComputeWorkgroupSizeZ, "
      "maxComputeWorkgroupsPerDimension).");
  EXPECT_EQ(message(lower_limit(limits, "")).substr(0, 21), "There is no limit '' ");
}

TEST(CapabilitiesTest, capabilities_switch_off_and_back_on_where_the_device_has_them) {
  Capabilities capabilities{.subgroups = true, .subgroup_size = 8, .timestamps = true};
  EXPECT_TRUE(apply_capability(capabilities, "subgroups=on", true));
  EXPECT_TRUE(apply_capability(capabilities, "subgroups=off", true));
  EXPECT_TRUE(apply_capability(capabilities, "timestamps=off", true));
  EXPECT_FALSE(capabilities.subgroups);
  EXPECT_FALSE(capabilities.timestamps);
}

TEST(CapabilitiesTest, what_the_device_lacks_cannot_be_switched_on) {
  Capabilities capabilities;
  const auto switched = apply_capability(capabilities, "subgroups=on", true);
  EXPECT_EQ(message(switched), "The device does not offer 'subgroups'.");
  EXPECT_EQ(switched.error().code, ErrorCode::unsupported);
  EXPECT_EQ(message(apply_capability(capabilities, "subgroup_size=8", true)),
            "The device does not offer 'subgroups'.");
  EXPECT_EQ(capabilities, Capabilities());
}

TEST(CapabilitiesTest, without_a_device_they_are_taken_on_trust) {
  Capabilities capabilities;
  EXPECT_TRUE(apply_capability(capabilities, "timestamps=on", false));
  EXPECT_TRUE(apply_capability(capabilities, "subgroup_size=32", false));
  EXPECT_EQ(capabilities,
            (Capabilities{.subgroups = true, .subgroup_size = 32, .timestamps = true}));
}

TEST(CapabilitiesTest, unknown_names_and_values_are_refused) {
  Capabilities capabilities;
  EXPECT_EQ(message(apply_capability(capabilities, "subgroups=yes", false)),
            "Capability 'subgroups' is given as 'yes' (on or off).");
  EXPECT_EQ(message(apply_capability(capabilities, "subgroups", false)),
            "Capability 'subgroups' is given as '' (on or off).");
  EXPECT_EQ(message(apply_capability(capabilities, "f16=on", false)),
            "There is no capability 'f16' (subgroups, timestamps, subgroup_size).");
  for (const char* size : {"0", "3", "256", "eight", ""}) {
    EXPECT_EQ(message(apply_capability(capabilities, std::string("subgroup_size=") + size, false)),
              std::string("Capability 'subgroup_size' is given as '") + size +
                  "' (a power of two up to 128).");
  }
  EXPECT_EQ(capabilities, Capabilities());
}

}  // namespace
}  // namespace wgprim
