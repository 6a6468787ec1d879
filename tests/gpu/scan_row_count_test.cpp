// Scans whose row count stands in a buffer on the device (contract SC-16, case K04, F15, F16):
// every word of every buffer against the oracle, so that rows beyond the count are canaries.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "support/family_on_device.hpp"
#include "support/mutation.hpp"
#include "support/random_scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

class ScanRowCountTest : public FamilyOnDevice {
 protected:
  void expect_right_for(const ScanCase& scan, const std::vector<std::uint32_t>& counts) {
    for (const std::uint32_t count : counts)
      expect_right(with_count(scan, count));
  }
};

TEST_F(ScanRowCountTest, case_K04) {
  const std::vector<std::uint32_t> counts = {0, 1, 999, 1000, 1001, 0xffffffff};
  expect_right_for(separate_scan(1000), counts);
  expect_right_for(separate_scan(1000, ScanMode::inclusive), counts);
  expect_right_for(in_place_scan(1000), counts);
}

TEST_F(ScanRowCountTest, F15_counts_around_blocks_and_levels) {
  expect_right_for(separate_scan(256), {0, 1, 255, 256, 257});
  expect_right_for(separate_scan(300), {255, 256, 257, 299, 300, 301});
  expect_right_for(separate_scan(65600, ScanMode::inclusive), {257, 65535, 65537});
  expect_right_for(in_place_scan(70000), {65536, 0xffffffff});
}

TEST_F(ScanRowCountTest, contract_SC_16_chunks_split_bindings_and_shared_buffers) {
  expect_right_for(chunked_scan({300, 4}, {100, 400, 50}), {0, 99, 100, 101, 300, 301, 303, 304});
  expect_right_for(with_limit(separate_scan(3000), "maxStorageBufferBindingSize=1027"),
                   {0, 1, 254, 255, 256, 257, 1000, 2999, 3000});
  expect_right_for(with_limit(separate_scan(70000), "maxBufferSize=1024"), {65535, 65536, 65537});
  expect_right_for(shared_buffer_scan(1000, 0), {0, 1, 999});
  expect_right_for(with_limit(shared_buffer_scan(1000, 3000), "maxStorageBufferBindingSize=8192"),
                   {0, 1, 999});
  expect_right_for(with_limit(separate_scan(2048), "maxComputeWorkgroupsPerDimension=2"),
                   {0, 1, 511, 512, 513, 2047});
  expect_right_for(with_limit(separate_scan(1000), "maxComputeInvocationsPerWorkgroup=64"),
                   {0, 1, 255, 256, 257, 999});
}

TEST_F(ScanRowCountTest, contract_SC_16_the_count_may_lie_beside_the_input) {
  ScanCase scan = separate_scan(600);
  scan.row_count = {.buffer = 0, .byte_offset = 0, .value = 300};
  expect_right(scan);
  scan.row_count->byte_offset = scan.buffers[0].bytes - 4;
  expect_right(scan);
}

TEST_F(ScanRowCountTest, contract_SC_16_one_executable_serves_all_counts) {
  ScanCase scan = with_count(separate_scan(1000), 0);
  Executable executable = must(Executable::create(device(), must(plan_for(device(), scan))));
  DeviceBuffers buffers(device(), scan.buffers);
  const auto imports = buffers.imports();
  const std::uint64_t pipelines = device().creation_counts().pipelines;
  for (const std::uint32_t count : {1000u, 3u, 0u, 256u, 999u}) {
    scan.row_count->value = count;
    const Image before = image_before(scan);
    buffers.upload(before);
    poison_slots(device(), executable);
    must(run(device(), executable, {.imports = imports}));
    EXPECT_EQ(first_difference(scan, image_after(scan, before), buffers.download()), std::nullopt)
        << count << " rows";
  }
  EXPECT_EQ(device().creation_counts().pipelines, pipelines);
}

// In place, so that the second encode reads what the first one left.
TEST_F(ScanRowCountTest, F16_counts_made_earlier_in_the_same_encoder) {
  ScanCase scan = with_count(in_place_scan(1000, ScanMode::inclusive), 77);
  Executable executable = must(Executable::create(device(), must(plan_for(device(), scan))));
  DeviceBuffers buffers(device(), scan.buffers);
  Image expected = image_before(scan);
  buffers.upload(expected);
  poison_slots(device(), executable);
  const auto imports = buffers.imports();
  const Words counts = {700, 300};
  Buffer made = make_buffer(device(), counts);
  const auto* count = std::get<const Buffer*>(imports[scan.row_count->buffer].buffer);
  const WGPUCommandEncoder encoder = make_encoder(device());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    wgpuCommandEncoderCopyBufferToBuffer(encoder, made.handle(), 4 * i, count->handle(),
                                         scan.row_count->byte_offset, 4);
    must(executable.encode(encoder, {.imports = imports}));
    expected[scan.row_count->buffer][scan.row_count->byte_offset / 4] = counts[i];
    scan.row_count->value = counts[i];
    expected = image_after(scan, std::move(expected));
  }
  must(device().submit_and_wait(encoder, 0));
  EXPECT_EQ(first_difference(scan, expected, buffers.download()), std::nullopt);
}

TEST_F(ScanRowCountTest, random_chunks_offsets_limits_and_counts) {
  const DeviceProfile offered = must(device().profile());
  const auto scans = random_counted_scans();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomScan random = scans(rc::Random(seed), rc::kNominalSize).value();
    random.profile.capabilities.subgroups &= offered.capabilities.subgroups;
    std::uint64_t& invocations = random.profile.limits.max_compute_invocations_per_workgroup;
    invocations = std::max<std::uint64_t>(invocations, 64);
    const Plan plan = must(plan_scan(random.scan, random.profile));
    const auto checked = check_on_device(device(), random.scan, plan, 1);
    EXPECT_TRUE(checked) << checked.error().message << "\n" << random;
  }
}

TEST_F(ScanRowCountTest, blocks_beyond_the_count_add_nothing_to_the_total) {
  expect_right(with_carry_out(with_count(separate_scan(70000), 300)));
}

/// Mutations of the text that reads the count: each must make the comparison fail.
class RowCountMutationTest : public ScanRowCountTest {
 protected:
  void expect_caught(ScanCase scan, std::string_view kernel, std::string_view part,
                     std::string_view replacement) {
    scan.subgroups = Subgroups::off;
    const Plan plan = must(plan_for(device(), scan));
    const auto sound = check_on_device(device(), scan, plan);
    EXPECT_TRUE(sound) << sound.error().message;
    bool is_mutated = false;  // The kernels of the levels above know no count.
    const Plan mutated = with_mutated_kernel(plan, kernel, [&](const std::string& text) {
      if (text.find(part) == text.npos) return text;
      is_mutated = true;
      return with_replaced(text, part, replacement);
    });
    ASSERT_TRUE(is_mutated) << "nothing to mutate: " << part;
    const auto broken = check_on_device(device(), scan, mutated);
    ASSERT_FALSE(broken) << "the broken kernel passes";
    EXPECT_EQ(broken.error().code, ErrorCode::verification_failed) << broken.error().message;
  }
};

constexpr std::string_view kClamp =
    "min(count - min(count, parameters.first_row), parameters.row_count)";

TEST_F(RowCountMutationTest, without_the_clamp_to_the_rows_of_the_dispatch) {
  // The output's binding holds the input, too: rows beyond the tail would be written there.
  ScanCase scan = shared_buffer_scan(300, 300);
  std::swap(scan.input, scan.output);
  expect_caught(with_count(scan, 0xffffffff), "scan_blocks", kClamp,
                "count - min(count, parameters.first_row)");
}

TEST_F(RowCountMutationTest, without_the_clamp_to_the_rows_before_the_dispatch) {
  expect_caught(with_count(chunked_scan({300, 300}, {300, 300}), 200), "scan_blocks", kClamp,
                "min(count - parameters.first_row, parameters.row_count)");
}

TEST_F(RowCountMutationTest, without_the_first_row) {
  expect_caught(with_count(chunked_scan({300, 300}, {300, 300}), 400), "scan_blocks", kClamp,
                "min(count, parameters.row_count)");
}

TEST_F(RowCountMutationTest, without_the_count_in_the_add_back) {
  expect_caught(with_count(separate_scan(600), 300), "add_block_offsets", kClamp,
                "parameters.row_count");
}

TEST_F(RowCountMutationTest, without_the_total_of_blocks_beyond_the_count) {
  expect_caught(with_carry_out(with_count(separate_scan(70000), 300)), "scan_blocks",
                "store_total(group, carry);", "");
}

TEST_F(RowCountMutationTest, with_the_first_word_of_the_binding_for_the_count) {
  expect_caught(with_count(separate_scan(600), 300), "scan_blocks", "row_count[parameters.count]",
                "row_count[0]");
}

}  // namespace
}  // namespace wgprim::testing
