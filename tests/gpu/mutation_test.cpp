// Kernels broken on purpose, run on the device like any other: each must make the comparison with
// the oracle fail, and the same text unbroken, put in the same way, must pass.
// Of the ladder's three barriers CPU drivers only notice the one between reads and writes, because
// they run subgroups in ascending order and lanes look downwards; the other two, and the one of the
// subgroup kernel, are caught by plan/block_scan_text_test.cpp, which runs the text in either
// order.
#include <gtest/gtest.h>

#include "support/gpu_fixture.hpp"
#include "support/mutation.hpp"
#include "support/scan_on_device.hpp"

namespace wgprim::testing {
namespace {

class MutationTest : public GpuTest {
 protected:
  template <class Mutate>
  void expect_caught(const ScanCase& scan, std::string_view kernel, Mutate mutate) {
    expect_caught(scan, must(plan_for(device(), scan)), kernel, mutate);
  }

  template <class Mutate>
  void expect_caught(const ScanCase& scan, const Plan& plan, std::string_view kernel,
                     Mutate mutate) {
    const Plan unbroken = with_mutated_kernel(
        plan, kernel, [](std::string text) { return text.append("// As it was.\n"); });
    const auto sound = check_on_device(device(), scan, unbroken);
    EXPECT_TRUE(sound) << "the unbroken kernel: " << sound.error().message;
    const auto broken = check_on_device(device(), scan, with_mutated_kernel(plan, kernel, mutate));
    ASSERT_FALSE(broken) << "the broken kernel passes";
    EXPECT_EQ(broken.error().code, ErrorCode::verification_failed) << broken.error().message;
  }
};

ScanCase portable(ScanCase scan) {
  scan.subgroups = Subgroups::off;
  return scan;
}

/// Two chunks of 300 rows. The first has input and output in one buffer and so in one binding, with
/// sentinels between, where lanes beyond the tail would read or write.
ScanCase two_tails(bool is_output_first) {
  ScanCase scan = shared_buffer_scan(300, 300);
  if (is_output_first) std::swap(scan.input, scan.output);
  for (auto* chunks : {&scan.input, &scan.output}) {
    chunks->push_back({static_cast<std::uint32_t>(scan.buffers.size()), 300, 4});
    scan.buffers.push_back({chunks == &scan.input ? "input1" : "output1", 4 * 302});
  }
  return portable(scan);
}

TEST_F(MutationTest, without_the_barrier_between_reads_and_writes) {
  if (!device().adapter().is_software) {
    GTEST_SKIP() << "a race: what a GPU makes of it is not certain";
  }
  expect_caught(portable(separate_scan(1000)), "scan_blocks",
                [](std::string text) { return without_barrier(std::move(text), 1); });
}

TEST_F(MutationTest, without_the_tail_guard_of_loads) {
  expect_caught(two_tails(false), "scan_blocks", [](std::string text) {
    return with_replaced(std::move(text), "if (row_0 < rows) {\n    loaded_0", "{\n    loaded_0");
  });
}

TEST_F(MutationTest, without_the_tail_guard_of_stores) {
  expect_caught(two_tails(true), "scan_blocks", [](std::string text) {
    return with_replaced(std::move(text), "if (row_0 < rows) {\n    store_result",
                         "{\n    store_result");
  });
}

TEST_F(MutationTest, without_the_tail_guard_of_the_add_back) {
  const ScanCase scan = portable(chunked_scan({300}, {600}));
  Plan plan = must(plan_for(device(), scan));
  // The binding ends with the rows. Drivers hide what is beyond it, so let it go on.
  PlanBinding& output = plan.dispatches.back().bindings[0];
  output.bytes = plan.buffers[output.buffer].bytes;
  expect_caught(scan, plan, "add_block_offsets", [](std::string text) {
    return with_replaced(std::move(text), "if (first_row + at_0 < rows && is_open(group, at_0)) {",
                         "if (is_open(group, at_0)) {");
  });
}

TEST_F(MutationTest, with_inclusive_for_exclusive) {
  expect_caught(portable(separate_scan(10)), "scan_blocks", [](std::string text) {
    return with_replaced(std::move(text), "select(before, combine(before, row), IS_INCLUSIVE)",
                         "combine(before, row)");
  });
}

TEST_F(MutationTest, with_exclusive_for_inclusive) {
  expect_caught(
      portable(separate_scan(10, ScanMode::inclusive)), "scan_blocks", [](std::string text) {
        return with_replaced(std::move(text), "select(before, combine(before, row), IS_INCLUSIVE)",
                             "before");
      });
}

TEST_F(MutationTest, with_the_last_valid_row_publishing_for_the_last_lane) {
  expect_caught(portable(separate_scan(600)), "scan_blocks", [](std::string text) {
    return with_replaced(std::move(text), "if (lane == WORKGROUP_WIDTH - 1u) {",
                         "if (first_row + lane == rows - 1u) {");
  });
}

TEST_F(MutationTest, with_the_first_lane_publishing_in_the_subgroup_kernel) {
  const ScanCase scan = separate_scan(600);
  if (!must(device().profile()).capabilities.subgroups) {
    GTEST_SKIP() << "the device offers no subgroups";
  }
  expect_caught(scan, "scan_blocks_subgroup", [](std::string text) {
    return with_replaced(std::move(text), "if (lane == WORKGROUP_WIDTH - 1u) {",
                         "if (lane == 0u) {");
  });
}

TEST_F(MutationTest, with_the_offset_of_another_block_added) {
  expect_caught(portable(separate_scan(600)), "add_block_offsets", [](std::string text) {
    return with_replaced(std::move(text), "spine[parameters.spine + group]",
                         "spine[parameters.spine + group / 2u]");
  });
}

}  // namespace
}  // namespace wgprim::testing
