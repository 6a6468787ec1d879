// Opening, adopting and losing devices; limits, capabilities and timers.
#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "native/adapters.hpp"
#include "native/handle.hpp"
#include "support/golden_plans.hpp"
#include "support/gpu_fixture.hpp"

namespace wgprim::testing {
namespace {

using native::choose_adapter;

AdapterInfo adapter_info(std::uint32_t index, std::string name, bool is_software = false) {
  return {.index = index, .name = std::move(name), .backend = "Vulkan", .is_software = is_software};
}

TEST(AdapterChoice, ByPartOfNameIndexOrSoftware) {
  const std::vector<AdapterInfo> adapters = {adapter_info(0, "NVIDIA H200"),
                                             adapter_info(1, "GeForce RTX 4090"),
                                             adapter_info(2, "llvmpipe (LLVM 15)", true)};
  const auto index_of = [&](std::string_view request) {
    return must(choose_adapter(adapters, request, "a test")).index;
  };
  EXPECT_EQ(index_of(""), 0u);
  EXPECT_EQ(index_of("1"), 1u);
  EXPECT_EQ(index_of("rtx"), 1u);
  EXPECT_EQ(index_of("4090"), 1u) << "A number that is no index is part of a name.";
  EXPECT_EQ(index_of("SOFTWARE"), 2u);
  EXPECT_EQ(index_of("LLVMpipe"), 2u);
  const auto none = choose_adapter(adapters, "radeon", "WGPRIM_ADAPTER");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::no_adapter);
  EXPECT_EQ(
      none.error().message,
      "No adapter matches 'radeon', named by WGPRIM_ADAPTER. This machine has: 0: 'NVIDIA H200' "
      "(Vulkan), 1: 'GeForce RTX 4090' (Vulkan), 2: 'llvmpipe (LLVM 15)' (Vulkan).");
  EXPECT_EQ(choose_adapter({}, "", "").error().code, ErrorCode::no_adapter);
}

class DeviceTest : public GpuTest {};

/// Another thread may run the self-tests while this one looks at their outcome.
static_assert(!std::is_reference_v<decltype(std::declval<Device>().subgroup_self_tests())>);

TEST_F(DeviceTest, TellsWhatItIs) {
  EXPECT_FALSE(device().adapter().name.empty());
  EXPECT_FALSE(device().adapter_reason().empty());
  EXPECT_TRUE(webgpu_library_version().starts_with("29.")) << webgpu_library_version();
  const auto adapters = must(list_adapters());
  ASSERT_GT(adapters.size(), device().adapter().index);
  EXPECT_EQ(adapters[device().adapter().index].name, device().adapter().name);
}

TEST_F(DeviceTest, UnknownAdapterListsWhatThereIs) {
  const auto none = Device::create({.adapter = "no such adapter"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::no_adapter);
  EXPECT_NE(none.error().message.find(device().adapter().name), std::string::npos);
}

/// Adapters whose subgroups are known to be right, and how wide they are.
std::uint32_t known_subgroup_size(std::string_view adapter) {
  if (adapter.starts_with("llvmpipe")) return 8;
  if (adapter.starts_with("SwiftShader")) return 4;
  return adapter.starts_with("NVIDIA") ? 32 : 0;
}

TEST_F(DeviceTest, ProfileMeasuresSubgroups) {
  const DeviceProfile profile = must(device().profile());
  EXPECT_EQ(profile, must(device().profile()));
  const std::uint32_t known = known_subgroup_size(device().adapter().name);
  const std::uint32_t size = profile.capabilities.subgroup_size;
  if (known == 0 && !profile.capabilities.subgroups) GTEST_SKIP() << "no subgroups";
  EXPECT_TRUE(profile.capabilities.subgroups) << "The self-test misjudges.";
  EXPECT_EQ(size, known == 0 ? std::max(size, 1u) : known);
  const std::vector<SubgroupSelfTest> tests = device().subgroup_self_tests();
  EXPECT_EQ(tests.size(), 8u);
  for (const SubgroupSelfTest& test : tests)
    EXPECT_TRUE(test.passed) << test.operation;
}

TEST_F(DeviceTest, LoweredLimitsDoNotHideSubgroups) {
  const Capabilities offered = must(device().profile()).capabilities;
  for (const char* limit : {"maxBufferSize=16", "maxStorageBufferBindingSize=16",
                            "maxComputeInvocationsPerWorkgroup=64"}) {
    Device lowered = must(Device::create({.limits = {limit}}));
    EXPECT_EQ(must(lowered.profile()).capabilities, offered) << limit;
  }
}

TEST_F(DeviceTest, RequestsLowerLimitsAndCapabilities) {
  Device lowered =
      must(Device::create({.limits = {"maxBufferSize=65536", "maxComputeWorkgroupsPerDimension=4"},
                           .capabilities = {"subgroups=off", "timestamps=off"}}));
  const DeviceProfile profile = must(lowered.profile());
  EXPECT_EQ(profile.limits.max_buffer_size, 65536u);
  EXPECT_EQ(profile.limits.max_compute_workgroups_per_dimension, 4u);
  EXPECT_FALSE(profile.capabilities.subgroups);
  EXPECT_FALSE(profile.capabilities.timestamps);
  EXPECT_TRUE(lowered.subgroup_self_tests().empty());
  EXPECT_EQ(Timer::create(lowered).error().code, ErrorCode::unsupported);
  const auto large = lowered.create_buffer(65540, kUsageStorage, "large");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(Executable::create(lowered, chained_plan()).error().code, ErrorCode::limit_exceeded)
      << "Eight workgroups in x are more than four.";
  EXPECT_FALSE(Device::create({.limits = {"maxBufferSize=99999999999999"}}));
  EXPECT_FALSE(Device::create({.limits = {"maxNonsense=1"}}));
  EXPECT_FALSE(Device::create({.capabilities = {"subgroups=perhaps"}}));
}

TEST_F(DeviceTest, AdoptingADeviceAgainGivesTheSame) {
  EXPECT_EQ(must(Device::adopt(device().handle())).state(), device().state());
  EXPECT_FALSE(Device::adopt(nullptr));
  EXPECT_FALSE(Device::create({.time_out = std::chrono::milliseconds(0)}));
}

TEST_F(DeviceTest, ADestroyedDeviceIsLostNotFatal) {
  Device doomed = must(Device::create());
  Executable executable = must(Executable::create(doomed, surviving_state_plan()));
  Buffer out = make_buffer(doomed, std::vector<std::uint32_t>(128, 0));
  const WGPUCommandEncoder encoder = make_encoder(doomed);
  wgpuDeviceDestroy(doomed.handle());
  const auto submitted = doomed.submit_and_wait(encoder, 0);
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().code, ErrorCode::device_lost);
  EXPECT_TRUE(doomed.is_lost());
  const Import import{"out", &out};
  EXPECT_EQ(run(doomed, executable, {.imports = {&import, 1}}).error().code,
            ErrorCode::device_lost);
}

TEST_F(DeviceTest, ADeviceDestroyedWithWritesPendingIsLostNotFatal) {
  Device doomed = must(Device::create());
  Buffer buffer = make_buffer(doomed, std::vector<std::uint32_t>(16, 0));
  wgpuDeviceDestroy(doomed.handle());
  std::uint32_t word = 0;
  EXPECT_EQ(doomed.upload(buffer, 0, std::as_bytes(std::span(&word, 1))).error().code,
            ErrorCode::device_lost);
}

TEST_F(DeviceTest, KeepsTheFirstErrorOfTheCallersOwnCalls) {
  Device careless = must(Device::create());
  const native::CommandEncoderHandle encoder(make_encoder(careless));
  wgpuCommandEncoderPopDebugGroup(encoder.get());
  const native::CommandBufferHandle broken(wgpuCommandEncoderFinish(encoder.get(), nullptr));
  EXPECT_TRUE(careless.take_uncaptured_error());
  EXPECT_FALSE(careless.take_uncaptured_error());
}

TEST_F(DeviceTest, TimerMeasuresAnEncode) {
  if (!must(device().profile()).capabilities.timestamps) GTEST_SKIP() << "no timestamps";
  Executable executable = must(Executable::create(device(), chained_plan()));
  const std::vector<std::uint32_t> zeros(64 + 512, 0);
  Buffer a = make_buffer(device(), zeros), b = make_buffer(device(), zeros),
         c = make_buffer(device(), zeros), d = make_buffer(device(), zeros);
  const Import imports[] = {{"in0", &a}, {"in1", &b}, {"out0", &c}, {"out1", &d}};
  std::optional<double> gpu_ns;
  must(run(device(), executable, {.imports = imports}, &gpu_ns));
  ASSERT_TRUE(gpu_ns);
  EXPECT_GT(*gpu_ns, 0.0);
  Timer unused = must(Timer::create(device()));
  EXPECT_EQ(must(unused.read(device())), std::nullopt);
}

TEST_F(DeviceTest, TimerOfAFailedEncodeReadsNothing) {
  if (!must(device().profile()).capabilities.timestamps) GTEST_SKIP() << "no timestamps";
  Executable executable = must(Executable::create(device(), surviving_state_plan()));
  Buffer out = make_buffer(device(), std::vector<std::uint32_t>(128, 0));
  const Import import{"out", &out};
  Timer timer = must(Timer::create(device()));
  const EncodeOptions options{.imports = {&import, 1}, .timer = &timer};
  must(run(device(), executable, options));
  EXPECT_TRUE(must(timer.read(device())));
  const native::CommandEncoderHandle finished(make_encoder(device()));
  const native::CommandBufferHandle commands(wgpuCommandEncoderFinish(finished.get(), nullptr));
  EXPECT_FALSE(executable.encode(finished.get(), options));
  EXPECT_EQ(must(timer.read(device())), std::nullopt) << "The time of an earlier encode.";
}

TEST_F(DeviceTest, TimersReadTogetherAgreeWithEachReadAlone) {
  if (!must(device().profile()).capabilities.timestamps) GTEST_SKIP() << "no timestamps";
  Executable executable = must(Executable::create(device(), surviving_state_plan()));
  Buffer out = make_buffer(device(), std::vector<std::uint32_t>(128, 0));
  const Import import{"out", &out};
  std::vector<Timer> timers;
  for (int i = 0; i < 3; ++i)
    timers.push_back(must(Timer::create(device())));
  const WGPUCommandEncoder encoder = make_encoder(device());
  for (Timer* timer : {&timers[0], &timers[2]})
    must(executable.encode(encoder, {.imports = {&import, 1}, .timer = timer}));
  must(device().submit_and_wait(encoder, 0));
  const auto times = must(Timer::read_all(device(), timers));
  ASSERT_EQ(times.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(times[i], must(timers[i].read(device())));
    EXPECT_EQ(times[i].has_value(), i != 1) << "The second timed nothing.";
  }
  EXPECT_EQ(must(Timer::read_all(device(), {})).size(), 0u);
}

TEST_F(DeviceTest, TimersOfALostOrAnotherDeviceAreRefused) {
  if (!must(device().profile()).capabilities.timestamps) GTEST_SKIP() << "no timestamps";
  Device doomed = must(Device::create());
  const std::vector timers = {must(Timer::create(doomed))};
  EXPECT_EQ(Timer::read_all(device(), timers).error().code, ErrorCode::invalid_argument);
  wgpuDeviceDestroy(doomed.handle());
  EXPECT_EQ(Timer::read_all(doomed, timers).error().code, ErrorCode::device_lost);
}

TEST_F(DeviceTest, TimerSpansSeveralPasses) {
  if (!must(device().profile()).capabilities.timestamps) GTEST_SKIP() << "no timestamps";
  Plan plan = conditioned_plan();  // Two passes, parted by a clear.
  PlanClear clear = std::get<PlanClear>(plan.passes[0]);
  clear.node = 2;
  plan.passes.insert(plan.passes.begin() + 2, clear);
  Executable executable = must(Executable::create(device(), plan));
  const std::vector<std::uint32_t> zeros(64 + 128, 0);
  Buffer in = make_buffer(device(), zeros), out = make_buffer(device(), zeros);
  const Import imports[] = {{"in", &in}, {"out", &out}};
  const Parameter parameters[] = {{"double", true}, {"mirror", false}};
  std::optional<double> gpu_ns;
  must(run(device(), executable, {.imports = imports, .parameters = parameters}, &gpu_ns));
  EXPECT_TRUE(gpu_ns);
}

}  // namespace
}  // namespace wgprim::testing
