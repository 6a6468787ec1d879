// A kernel that never ends: the wait gives up after the time-out, the device is lost for good,
// every later call answers at once, destructors do not block, and the process leaves in time. What
// hangs runs in a child process, this executable again, so that the ring itself cannot.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "support/golden_plans.hpp"
#include "support/gpu_fixture.hpp"

namespace wgprim::testing {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kTimeOut{500};
constexpr milliseconds kPatience{3000};

/// Never zero at run time, which no compiler can know.
const char* const kForever = R"(@group(0) @binding(0) var<storage, read_write> turns: array<u32>;
@compute @workgroup_size(1)
fn spin_forever() {
  while (turn() != 0xffffffffu) { turns[0] = (turns[0] + 1u) & 0xffffu; }
}
fn turn() -> u32 { return turns[0]; }
)";

Plan forever_plan() {
  Plan plan = surviving_state_plan();
  plan.kernels[0].name = "spin_forever";
  plan.kernels[0].wgsl = kForever;
  plan.kernels[0].bindings = {{0, Access::storage_read_write}};
  plan.dispatches[0].bindings = {{0, 0, kGoldenOffset, 256}};
  return plan;
}

/// What the child found wrong; the message of a device lost in time is the only good end.
const char* lose_device() {
  auto device = Device::create({.time_out = kTimeOut});
  if (!device) return "no device";
  auto executable = Executable::create(*device, forever_plan());
  auto next = Executable::create(*device, surviving_state_plan());
  if (!executable || !next) return "no executable";
  Buffer out = make_buffer(*device, std::vector<std::uint32_t>(128, 0));
  const Import imports[] = {{"out", &out}};
  const EncodeOptions options{.imports = imports};
  const auto ran = run(*device, *executable, options);
  if (ran || ran.error().code != ErrorCode::device_lost) return "the hung run is no lost device";
  const auto start = Clock::now();
  std::uint32_t word = 0;
  const auto bytes = std::as_writable_bytes(std::span(&word, 1));
  const bool answers[] = {
      device->is_lost(),
      !run(*device, *next, options),
      !device->upload(out, 0, bytes),
      !device->download(out, 0, 4, [](std::span<const std::byte>) -> Result<void> { return {}; }),
      !device->create_buffer(4, kUsageStorage, "late"),
      !Executable::create(*device, surviving_state_plan()),
      !device->submit_and_wait(make_encoder(*device), 0),
      !Timer::create(*device)};
  for (const bool answer : answers) {
    if (!answer) return "a call on the lost device succeeds";
  }
  if (Clock::now() - start > milliseconds(100)) return "a call on the lost device waits";
  return nullptr;
}

TEST(Hang, DISABLED_Child) {
  const char* wrong = lose_device();  // Its device, buffers and executables are destroyed by now.
  if (wrong != nullptr) std::fprintf(stderr, "%s\n", wrong);
  std::_Exit(wrong == nullptr ? 42 : 1);
}

class HangTest : public GpuTest {};

TEST_F(HangTest, AChildWithAHungKernelLeavesInTime) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "hang_child", "--gtest_filter=Hang.DISABLED_Child",
          "--gtest_also_run_disabled_tests", static_cast<char*>(nullptr));
    std::_Exit(127);
  }
  ASSERT_GT(child, 0);
  const auto start = Clock::now();
  int status = 0;
  pid_t ended = 0;
  while (ended == 0 && Clock::now() - start < kPatience) {
    ended = waitpid(child, &status, WNOHANG);
    std::this_thread::sleep_for(milliseconds(10));
  }
  if (ended == 0) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    FAIL() << "The child still runs after " << kPatience.count() << " ms.";
  }
  ASSERT_TRUE(WIFEXITED(status)) << "The child ends by signal " << WTERMSIG(status) << ".";
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

}  // namespace
}  // namespace wgprim::testing
