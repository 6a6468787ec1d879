// Scans that one dispatch cannot take: bindings smaller than the view, several buffers, sums above
// the largest buffer, folded dispatches, narrow workgroups, and both operands in one buffer.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "support/case.hpp"
#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "support/plan_lines.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using Numbers = std::vector<std::uint64_t>;

/// A plan that breaks no rule.
Plan plan_of(const ScanCase& scan, DeviceProfile profile = {}) {
  for (const std::string& limit : scan.limits)
    EXPECT_TRUE(lower_limit(profile.limits, limit));
  auto plan = plan_scan(scan, profile);
  if (!plan) throw std::runtime_error(plan.error().message);
  EXPECT_EQ(find_faults(*plan, profile), std::vector<std::string>()) << scan;
  return *std::move(plan);
}

/// Plans, and compares what the plan computes with the oracle.
Plan checked_plan_of(const ScanCase& scan) {
  Plan plan = plan_of(scan);
  const auto checked = check_on_host(plan, scan);
  EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
  return plan;
}

/// Rows of the first pass, dispatch by dispatch: those before the first that reads sums.
Numbers rows_of_first_pass(const Plan& plan) {
  Numbers rows;
  for (const PlanDispatch& dispatch : plan.dispatches) {
    const std::uint32_t written = dispatch.bindings[0].buffer;
    if (plan.buffers[written].role == BufferRole::transient) break;
    if (plan.kernels[dispatch.kernel].name == "add_block_offsets") break;
    rows.push_back(dispatch.parameters[0]);
  }
  return rows;
}

TEST(SplittingTest, S15_a_view_above_the_binding_limit_is_cut_into_whole_blocks) {
  const ScanCase scan = with_limit(separate_scan(3000), "maxStorageBufferBindingSize=4096");
  // Rows start at byte 4, so the first binding holds 1023 and the later ones start at 4 mod 256.
  EXPECT_EQ(rows_of_first_pass(checked_plan_of(scan)), (Numbers{768, 768, 768, 696}));
}

TEST(SplittingTest, S15_odd_binding_limits) {
  for (const char* limit : {"1021", "1023", "4097", "1027", "300"}) {
    checked_plan_of(with_limit(separate_scan(3000), concat("maxStorageBufferBindingSize=", limit)));
    checked_plan_of(with_limit(in_place_scan(3000), concat("maxStorageBufferBindingSize=", limit)));
  }
}

TEST(SplittingTest, S15_a_binding_limit_of_128_MiB_and_a_word) {
  ScanCase scan = separate_scan(3 << 24);
  scan.input[0].byte_offset = scan.output[0].byte_offset = 0;
  DeviceProfile profile;
  profile.limits.max_storage_buffer_binding_size = (128 << 20) + 4;
  const Plan plan = plan_of(scan, profile);
  EXPECT_EQ(rows_of_first_pass(plan), (Numbers{1 << 25, 1 << 24}));
  EXPECT_EQ(plan.dispatches.size(), 4u + 3 + 2) << "one more on the rows' two passes";
}

TEST(SplittingTest, S11_a_binding_limit_that_the_rows_just_reach) {
  for (const std::uint64_t rows : {std::uint64_t{1} << 25, (std::uint64_t{1} << 25) + 1}) {
    ScanCase scan = separate_scan(rows);
    scan.input[0].byte_offset = scan.output[0].byte_offset = 0;
    EXPECT_EQ(rows_of_first_pass(plan_of(scan)),
              rows == 1 << 25 ? Numbers{rows} : (Numbers{1 << 25, 1}));
  }
}

TEST(SplittingTest, contract_SC_3_boundaries_of_input_and_output_are_independent) {
  const Plan plan = checked_plan_of(chunked_scan({1000, 24}, {7, 1017}));
  EXPECT_EQ(rows_of_first_pass(plan), (Numbers{7, 993, 24}));
}

TEST(SplittingTest, contract_SC_3_chunks_of_any_length) {
  checked_plan_of(chunked_scan({2, 4}, {2, 4}));
  checked_plan_of(chunked_scan({0, 2, 0, 4, 0}, {0, 2, 0, 4, 0}));
  checked_plan_of(chunked_scan({2, 0, 4}, {0, 1, 3, 2}));
  checked_plan_of(chunked_scan({6}, {1, 0, 5}));
  checked_plan_of(chunked_scan({0, 257, 512, 0, 260, 0}, {1, 256, 700, 72}, ScanMode::inclusive));
  checked_plan_of(chunked_scan(Numbers(300, 1), {300}));
  checked_plan_of(chunked_scan({600}, Numbers(300, 2), ScanMode::inclusive));
}

TEST(SplittingTest, contract_SC_4_a_longer_output_keeps_its_other_rows) {
  checked_plan_of(chunked_scan({300}, {301}));
  checked_plan_of(chunked_scan({300, 4}, {100, 400, 50}));
  checked_plan_of(chunked_scan({300}, {300, 50}));
  checked_plan_of(chunked_scan({0, 0}, {50}));
}

TEST(SplittingTest, sums_above_the_largest_buffer_take_several) {
  // 4 sums a buffer: 12 blocks make 3 buffers, whose 3 sums fit one more.
  const Plan plan = checked_plan_of(with_limit(separate_scan(3000), "maxBufferSize=16"));
  Numbers sums;
  std::vector<std::string> ids;
  for (const PlanBuffer& buffer : plan.buffers) {
    if (buffer.role == BufferRole::imported) continue;
    ids.push_back(buffer.id);
    sums.push_back(buffer.bytes);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"scan.sums1.0", "scan.sums1.1", "scan.sums1.2",
                                           "scan.sums2"}));
  EXPECT_EQ(sums, (Numbers{16, 16, 16, 12}));
}

TEST(SplittingTest, even_two_sums_a_buffer_come_to_an_end) {
  checked_plan_of(with_limit(separate_scan(5000), "maxBufferSize=8"));
  checked_plan_of(with_limit(separate_scan(5000), "maxBufferSize=15"));
}

TEST(SplittingTest, S10_folded_dispatches_have_padding_that_does_nothing) {
  const Plan plan =
      checked_plan_of(with_limit(separate_scan(1025), "maxComputeWorkgroupsPerDimension=2"));
  EXPECT_EQ(plan.dispatches[0].shape, (Shape{2, 2, 2}));
  EXPECT_EQ(plan.dispatches[0].parameters[1], 5u) << "of 8 groups";
  checked_plan_of(with_limit(separate_scan(2048), "maxComputeWorkgroupsPerDimension=2"));
  for (const std::uint64_t rows : {769u, 2305u, 6000u, 6912u}) {
    checked_plan_of(with_limit(in_place_scan(rows), "maxComputeWorkgroupsPerDimension=3"));
  }
}

TEST(SplittingTest, limits_of_a_few_bytes_end_soon) {
  const auto message_at = [](std::uint64_t rows, const char* limit) {
    DeviceProfile profile;
    EXPECT_TRUE(lower_limit(profile.limits, limit));
    const auto start = std::chrono::steady_clock::now();
    const auto plan = plan_scan(rows, {}, profile);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << limit;
    return plan ? "" : plan.error().message;
  };
  EXPECT_EQ(message_at(kMaxRows, "maxBufferSize=65536"),
            "Array 'input' of 4294967295 rows takes more than 65536 buffers of 65536 bytes "
            "(maxBufferSize).");
  EXPECT_EQ(message_at(kMaxRows, "maxStorageBufferBindingSize=1024"),
            "Node 'scan' takes more than 262144 dispatches a level; bindings (1024 bytes) or "
            "buffers (268435456 bytes) are too small.");
  EXPECT_EQ(message_at(60'000'000, "maxBufferSize=4096"), "") << "58,594 buffers an array.";
}

TEST(SplittingTest, adjoining_chunks_of_one_buffer_are_one_span) {
  ScanCase scan = separate_scan(1000);
  const auto cut = [](std::vector<Chunk>& chunks, const Numbers& rows) {
    Chunk next = chunks[0];
    chunks.clear();
    for (const std::uint64_t count : rows) {
      next.rows = count;
      chunks.push_back(next);
      next.byte_offset += count * 4;
    }
  };
  cut(scan.input, Numbers(1000, 1));
  EXPECT_EQ(rows_of_first_pass(checked_plan_of(scan)), (Numbers{1000}));
  cut(scan.output, {300, 0, 700});
  EXPECT_EQ(rows_of_first_pass(checked_plan_of(scan)), (Numbers{1000}));
  std::swap(scan.input[3], scan.input[4]);
  EXPECT_EQ(rows_of_first_pass(checked_plan_of(scan)), (Numbers{1000}));
  const Plan chunked = checked_plan_of(scan);
  const auto table = std::ranges::find(chunked.buffers, BufferRole::constant, &PlanBuffer::role);
  ASSERT_NE(table, chunked.buffers.end());
  EXPECT_EQ(table->words.size(), 4u * 4) << "a table of four runs";
  ScanCase in_place = in_place_scan(1000);
  cut(in_place.input, {1, 2, 997});
  in_place.output = in_place.input;
  EXPECT_EQ(rows_of_first_pass(checked_plan_of(in_place)), (Numbers{1000}));
}

TEST(SplittingTest, S17_narrow_workgroups_take_more_rows_a_lane) {
  const auto widths = [](std::string limit) {
    const Plan plan = checked_plan_of(with_limit(separate_scan(1000), std::move(limit)));
    std::vector<std::pair<std::string, std::uint32_t>> constants = plan.kernels[0].constants;
    std::erase_if(constants, [](const auto& constant) { return constant.first == "IS_INCLUSIVE"; });
    return std::pair(constants[1].second, constants[0].second);  // By name: ROWS, then WIDTH.
  };
  EXPECT_EQ(widths("maxComputeInvocationsPerWorkgroup=256"), std::pair(256u, 1u));
  EXPECT_EQ(widths("maxComputeInvocationsPerWorkgroup=255"), std::pair(128u, 2u));
  EXPECT_EQ(widths("maxComputeInvocationsPerWorkgroup=128"), std::pair(128u, 2u));
  EXPECT_EQ(widths("maxComputeWorkgroupSizeX=64"), std::pair(64u, 4u));
  EXPECT_EQ(widths("maxComputeWorkgroupSizeX=32"), std::pair(32u, 8u));
}

std::string source_of(const Plan& plan) { return plan.kernels[0].slots[0].second; }

TEST(SplittingTest, contract_SC_6_near_ranges_of_one_buffer_lie_within_one_binding) {
  const Plan plan = checked_plan_of(shared_buffer_scan(1000, 0));
  EXPECT_EQ(source_of(plan), "source_in_place");
  EXPECT_EQ(plan.dispatches[0].bindings[0].bytes, 4u + 8000);
}

TEST(SplittingTest, contract_SC_6_far_ranges_of_one_buffer_are_two_bindings_that_never_meet) {
  const ScanCase scan =
      with_limit(shared_buffer_scan(1000, 2000), "maxStorageBufferBindingSize=8192");
  const Plan plan = checked_plan_of(scan);
  EXPECT_EQ(source_of(plan), "source_shared_buffer");
  EXPECT_EQ(rows_of_first_pass(plan), Numbers{1000});
}

TEST(SplittingTest, contract_SC_6_ranges_of_one_buffer_at_any_distance_and_binding_limit) {
  for (const char* limit : {"256", "257", "511", "512", "1021", "1024", "4097", "8192"}) {
    for (const std::uint64_t gap : {0u, 1u, 5u, 62u, 63u, 64u, 65u, 300u, 2000u}) {
      ScanCase scan =
          with_limit(shared_buffer_scan(700, gap), concat("maxStorageBufferBindingSize=", limit));
      checked_plan_of(scan);
      std::swap(scan.input, scan.output);  // The output below the input.
      checked_plan_of(scan);
    }
  }
}

TEST(SplittingTest, contract_SC_6_touching_ranges_that_together_are_twice_the_binding_limit) {
  ScanCase scan = shared_buffer_scan(2048, 0);
  scan.input[0].byte_offset = 0;
  scan.output[0].byte_offset = 8192;
  scan = with_limit(scan, "maxStorageBufferBindingSize=8192");
  EXPECT_EQ(rows_of_first_pass(checked_plan_of(scan)), Numbers{2048}) << "no need to split";
}

TEST(SplittingTest, contract_V_8_the_largest_scan_is_split_by_bindings_alone) {
  const std::uint64_t rows = 0xffffffff;
  ScanCase scan = separate_scan(rows);
  scan.input[0].byte_offset = scan.output[0].byte_offset = 0;
  const Plan plan = plan_of(scan);
  EXPECT_EQ(rows_of_first_pass(plan).size(), 128u);
  EXPECT_EQ(rows_of_first_pass(plan).back(), (1u << 25) - 1);
  EXPECT_EQ(plan.dispatches.size(), 2u * 128 + 5) << "levels of 2^32, 2^24, 2^16 and 2^8 rows";
  EXPECT_EQ(plan.scratch_bytes, 4u * ((1 << 24) + (1 << 16) + (1 << 8)));
}

TEST(SplittingTest, S13_contract_V_8_indices_stay_within_32_bits_whatever_a_binding_may_hold) {
  DeviceProfile profile;
  profile.limits.max_storage_buffer_binding_size = UINT64_MAX;
  profile.limits.max_buffer_size = UINT64_MAX;
  const std::uint64_t rows = 0xffffffff;
  for (const std::uint64_t gap : {0u, 1u, 1u << 20}) {
    for (const ScanCase& scan :
         {shared_buffer_scan(rows, gap), separate_scan(rows), in_place_scan(rows)}) {
      const Plan plan = plan_of(scan, profile);
      for (const PlanDispatch& dispatch : plan.dispatches) {
        const std::uint64_t last = dispatch.parameters[0] - 1;
        for (const char* operand : {"input", "output"}) {
          const std::uint64_t first = dispatch.parameters[parameter_places().at(operand)];
          EXPECT_LE(first + last, 0xffffffff) << dispatch.label;
        }
      }
    }
  }
}

/// Rows of the dispatches that write the results, by the kernel that does on this path.
Numbers rows_scanned(ScanCase scan, Path path, const DeviceProfile& profile) {
  scan.path = path;
  const Plan plan = plan_of(scan, profile);
  Numbers rows;
  for (const PlanDispatch& dispatch : plan.dispatches) {
    const bool is_result = plan.buffers[dispatch.bindings[0].buffer].role == BufferRole::imported;
    const std::string& kernel = plan.kernels[dispatch.kernel].name;
    if (is_result && kernel == (path == Path::chained ? "scan_blocks" : "scan_tiles"))
      rows.push_back(dispatch.parameters[0]);
  }
  return rows;
}

TEST(SplittingTest, S12_around_two_to_the_31_rows_in_chunks) {
  for (const std::uint64_t last : {(1u << 29) - 1, 1u << 29, (1u << 29) + 1}) {
    for (const Path path : {Path::chained, Path::reduce_then_scan}) {
      const Numbers chunks = {1 << 29, 1 << 29, 1 << 29, last};
      const DeviceProfile profile{.limits = {.max_buffer_size = (1u << 31) + 1024,
                                             .max_storage_buffer_binding_size = 1u << 31}};
      std::uint64_t rows = 0;
      for (const std::uint64_t part : rows_scanned(chunked_scan(chunks, chunks), path, profile))
        rows += part;
      EXPECT_EQ(rows, (3ull << 29) + last) << to_string(path);
    }
  }
}

TEST(SplittingTest, S16_a_binding_limit_one_byte_below_the_buffer_limit) {
  const DeviceProfile profile{
      .limits = {.max_buffer_size = 2147483648, .max_storage_buffer_binding_size = 2147483647}};
  for (const Path path : {Path::chained, Path::reduce_then_scan}) {
    EXPECT_EQ(rows_scanned(aligned_scan(1 << 29), path, profile).size(), 2u) << to_string(path);
  }
}

}  // namespace
}  // namespace wgprim::testing
