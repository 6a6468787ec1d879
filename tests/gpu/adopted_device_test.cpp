// Devices of the caller's own, made with no callback: what would reach one ends the process, so a
// mistake that the library fails to catch ends this ring.
#include <gtest/gtest.h>

#include <barrier>
#include <thread>

#include "native/device_state.hpp"
#include "native/wgpu_native.hpp"
#include "support/golden_plans.hpp"
#include "support/gpu_fixture.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::string_view kLost = "The device is lost: WebGPU reports that it is gone.";

class AdoptedDevice : public GpuTest {
 protected:
  /// Adopted, and then held by the library alone.
  static Device adopt(const WGPUDeviceDescriptor* descriptor = nullptr) {
    return must(Device::adopt(request_device(device().adapter().index, descriptor).get()));
  }
  template <class T>
  static void expect_lost(const Result<T>& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::device_lost);
    EXPECT_EQ(result.error().message, kLost);
  }
};

TEST_F(AdoptedDevice, RunsPlans) {
  Device adopted = adopt();
  const DeviceProfile profile = must(adopted.profile());
  EXPECT_EQ(profile.limits, Limits{});
  EXPECT_EQ(profile.capabilities, Capabilities{});
  Executable executable = must(Executable::create(adopted, surviving_state_plan()));
  Buffer out = make_buffer(adopted, Words(128, 0));
  run_once(adopted, executable, {{{"out", &out}}});
  EXPECT_EQ(read_words(adopted, out, 65).back(), 1000u);
}

TEST_F(AdoptedDevice, DestroyedBeforeARunIsLost) {
  Device doomed = adopt();
  Executable executable = must(Executable::create(doomed, surviving_state_plan()));
  Buffer out = make_buffer(doomed, Words(128, 0));
  const Import import{"out", &out};
  wgpuDeviceDestroy(doomed.handle());
  expect_lost(run(doomed, executable, {.imports = {&import, 1}}));
  EXPECT_TRUE(doomed.is_lost());
}

TEST_F(AdoptedDevice, DestroyedBeforeADownloadIsLost) {
  Device doomed = adopt();
  Buffer buffer = make_buffer(doomed, Words(16, 0));
  wgpuDeviceDestroy(doomed.handle());
  expect_lost(doomed.download(buffer, 0, 64,
                              [](std::span<const std::byte>) -> Result<void> { return {}; }));
}

TEST_F(AdoptedDevice, DestroyedBeforeAnExecutableIsLost) {
  Device doomed = adopt();
  wgpuDeviceDestroy(doomed.handle());
  expect_lost(Executable::create(doomed, surviving_state_plan()));
}

TEST_F(AdoptedDevice, DestroyedByASinkIsLost) {
  Device doomed = adopt();
  Buffer buffer = make_buffer(doomed, Words(16, 3));
  must(doomed.download(buffer, 0, 64, [&](std::span<const std::byte> piece) -> Result<void> {
    wgpuDeviceDestroy(doomed.handle());
    EXPECT_EQ(piece.size(), 64u);
    return {};
  }));
  EXPECT_TRUE(doomed.is_lost());
}

TEST_F(AdoptedDevice, SubgroupsThatCannotBeProbedAreSwitchedOff) {
  if (!must(device().profile()).capabilities.subgroups) GTEST_SKIP() << "no subgroups";
  WGPULimits limits = WGPU_LIMITS_INIT;
  limits.maxStorageBufferBindingSize = 64;  // Too small for what the lanes report.
  WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
  descriptor.requiredFeatureCount = 1;
  descriptor.requiredFeatures = &native::kSubgroupFeature;
  descriptor.requiredLimits = &limits;
  Device narrow = adopt(&descriptor);
  EXPECT_TRUE(narrow.state()->allowed.subgroups);
  const DeviceProfile profile = must(narrow.profile());
  EXPECT_FALSE(profile.capabilities.subgroups);
  const std::vector<SubgroupSelfTest> tests = narrow.subgroup_self_tests();
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_FALSE(tests[0].passed);
}

TEST_F(AdoptedDevice, ThreadsThatAdoptOneDeviceShareItsState) {
  constexpr std::size_t kThreads = 4;
  const native::DeviceHandle handle = request_device(device().adapter().index);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::shared_ptr<Device::State>> states(kThreads);
    std::barrier start(kThreads);
    {
      std::vector<std::jthread> threads;
      for (auto& state : states) {
        threads.emplace_back([&] {
          start.arrive_and_wait();
          state = must(Device::adopt(handle.get())).state();
        });
      }
    }
    for (const auto& state : states)
      ASSERT_EQ(state, states[0]) << "round " << round;
  }
}

}  // namespace
}  // namespace wgprim::testing
