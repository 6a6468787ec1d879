// Operands in many chunks (contract SC-13): those of one buffer go in one dispatch with a table, so
// that plans stay short and are made soon, and every partition computes the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <stdexcept>

#include "support/plan_faults.hpp"
#include "support/plan_interpreter.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using Numbers = std::vector<std::uint64_t>;

#if defined(__SANITIZE_ADDRESS__)
constexpr double kSlack = 10;
#else
constexpr double kSlack = 1;
#endif

/// Chunks of these many rows in a buffer of its own, one to three words apart.
std::vector<Chunk> chunks_in(ScanCase& scan, const char* name, const Numbers& rows) {
  std::vector<Chunk> chunks;
  std::uint64_t end = 4;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    chunks.push_back({static_cast<std::uint32_t>(scan.buffers.size()), rows[i], end});
    end += 4 * (rows[i] + 1 + i % 3);
  }
  scan.buffers.push_back({name, end});
  return chunks;
}

ScanCase scan_in_chunks(const Numbers& input, const Numbers& output, const Numbers& flags = {}) {
  ScanCase scan;
  scan.input = chunks_in(scan, "input", input);
  scan.output = chunks_in(scan, "output", output);
  if (!flags.empty()) scan.flags = chunks_in(scan, "flags", flags);
  return scan;
}

/// 1, 2, 3, 1, 2, 3, ...
Numbers small_chunks(std::size_t count) {
  Numbers rows(count);
  for (std::size_t i = 0; i < count; ++i)
    rows[i] = 1 + i % 3;
  return rows;
}

/// The plan, and how many seconds of the processor it took.
std::pair<Plan, double> timed_plan_of(const ScanCase& scan) {
  const std::clock_t start = std::clock();
  auto plan = plan_scan(scan);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (!plan) throw std::runtime_error(plan.error().message);
  return {*std::move(plan), seconds};
}

void expect_right(const ScanCase& scan) {
  const auto plan = plan_scan(scan);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(find_faults(*plan, {}), std::vector<std::string>()) << scan;
  const auto checked = check_on_host(*plan, scan);
  EXPECT_TRUE(checked) << checked.error().message << "\n" << scan;
}

constexpr Path kPaths[] = {Path::chained, Path::reduce_then_scan};

TEST(ChunkTableTest, contract_SC_13_ten_thousand_chunks_of_one_buffer_are_one_dispatch_a_pass) {
  const Numbers rows = small_chunks(10'000);
  for (const Path path : kPaths) {
    ScanCase scan = scan_in_chunks(rows, {20'000});
    scan.path = path;
    const auto [plan, seconds] = timed_plan_of(scan);
    EXPECT_LT(seconds, 1 * kSlack);
    EXPECT_EQ(plan.dispatches.size(), 3u) << "as many as of one chunk";
    expect_right(scan);
    ScanCase other = scan_in_chunks({19'000}, rows);
    other.path = path;
    expect_right(other);
  }
}

TEST(ChunkTableTest, a_table_says_where_each_run_stands) {
  ScanCase scan = scan_in_chunks({2, 3}, {4, 1});
  const Plan plan = plan_scan(scan).value();
  const auto table = std::ranges::find(plan.buffers, BufferRole::constant, &PlanBuffer::role);
  ASSERT_NE(table, plan.buffers.end());
  EXPECT_EQ(table->id, "scan.runs");
  // First row, then words of input, output and flags: rows 0 and 1, 2 and 3, and 4.
  EXPECT_EQ(table->words, (Words{0, 1, 1, 0, 2, 4, 3, 0, 4, 6, 6, 0}));
  EXPECT_EQ(table->bytes, 4 * table->words.size());
  EXPECT_EQ(plan.scratch_bytes, 0u) << "constants are no scratch";
}

TEST(ChunkTableTest, chunks_without_gap_are_one_run) {
  ScanCase scan = separate_scan(100);
  scan.input = {{0, 40, 4}, {0, 0, 8}, {0, 60, 164}};
  const Plan plan = plan_scan(scan).value();
  EXPECT_EQ(std::ranges::count(plan.buffers, BufferRole::constant, &PlanBuffer::role), 0);
  expect_right(scan);
}

TEST(ChunkTableTest, contract_SC_13_between_buffers_the_carry_goes_on_on_the_device) {
  ScanCase scan = chunked_scan({300, 300, 300}, {900});
  for (const Path path : kPaths) {
    scan.path = path;
    const Plan plan = plan_scan(scan).value();
    EXPECT_EQ(plan.dispatches.size(), 3u + 1 + 3) << "three a pass over the rows";
    expect_right(scan);
  }
}

TEST(ChunkTableTest, a_million_chunks_are_planned_within_seconds) {
  const ScanCase scan = scan_in_chunks(small_chunks(1'000'000), {2'000'000});
  const auto [plan, seconds] = timed_plan_of(scan);
  EXPECT_LT(seconds, 10 * kSlack);
  EXPECT_LE(plan.dispatches.size(), 10u);
}

/// Rows cut at random, empty chunks among them.
Numbers random_partition(std::mt19937& random, std::uint64_t rows) {
  Numbers parts;
  const std::uint64_t longest = 1u << random() % 10;
  while (rows > 0) {
    const std::uint64_t part = std::min<std::uint64_t>(random() % (longest + 1), rows);
    parts.push_back(part);
    rows -= part;
  }
  parts.push_back(0);
  return parts;
}

TEST(ChunkTableTest, contract_SC_3_a_thousand_random_partitions_are_right) {
  std::mt19937 random(1);  // NOLINT: the same partitions each time.
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t rows = random() % 1500;
    ScanCase scan = scan_in_chunks(random_partition(random, rows), random_partition(random, rows),
                                   i % 2 == 0 ? Numbers{} : random_partition(random, rows));
    scan.path = kPaths[random() % 2];
    scan.mode = random() % 2 == 0 ? ScanMode::exclusive : ScanMode::inclusive;
    scan.is_reverse = random() % 3 == 0;
    scan.seed = static_cast<std::uint32_t>(i);
    expect_right(scan);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ChunkTableTest, tables_of_several_dispatches_start_where_bindings_may) {
  ScanCase scan = scan_in_chunks(small_chunks(1000), small_chunks(1000));
  scan.limits = {"maxStorageBufferBindingSize=1024", "maxBufferSize=2048"};
  DeviceProfile profile;
  for (const std::string& limit : scan.limits)
    ASSERT_TRUE(lower_limit(profile.limits, limit));
  const auto plan = plan_scan(scan);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(find_faults(*plan, profile), std::vector<std::string>());
  EXPECT_GT(std::ranges::count(plan->buffers, BufferRole::constant, &PlanBuffer::role), 1);
  for (const PlanBuffer& buffer : plan->buffers) {
    EXPECT_TRUE(buffer.role != BufferRole::constant || buffer.bytes <= 2048) << buffer.bytes;
  }
  const auto checked = check_on_host(*plan, scan);
  EXPECT_TRUE(checked) << checked.error().message;
}

}  // namespace
}  // namespace wgprim::testing
