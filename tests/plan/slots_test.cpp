// Which transients share memory (contract TR-1, TR-2). The rule that the result may never exceed is
// written out here once more, as the contract words it.
#include "graph/slots.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace wgprim {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

std::vector<std::uint64_t> slot_bytes(const std::vector<Lifetime>& lifetimes) {
  std::vector<std::uint64_t> bytes;
  for (const PlanSlot& slot : assign_slots(lifetimes).slots)
    bytes.push_back(slot.bytes);
  return bytes;
}

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

/// "Smallest free slot, grown if too small", in order of first use.
std::uint64_t bytes_by_the_rule(std::vector<Lifetime> lifetimes) {
  struct Slot {
    std::uint64_t bytes;
    std::uint32_t last;
  };
  std::vector<Slot> slots;
  std::ranges::stable_sort(lifetimes, {}, &Lifetime::first);
  for (const Lifetime& lifetime : lifetimes) {
    Slot* smallest = nullptr;
    for (Slot& slot : slots) {
      const bool is_free = slot.last < lifetime.first;
      if (is_free && (smallest == nullptr || slot.bytes < smallest->bytes)) smallest = &slot;
    }
    if (smallest == nullptr) smallest = &slots.emplace_back(Slot{0, 0});
    *smallest = {std::max(smallest->bytes, lifetime.bytes), lifetime.last};
  }
  std::uint64_t bytes = 0;
  for (const Slot& slot : slots)
    bytes += slot.bytes;
  return bytes;
}

TEST(SlotsTest, case_G01) {
  EXPECT_EQ(slot_bytes({{1, 1, 64}, {2, 3, 128}}), std::vector<std::uint64_t>{128});
}

TEST(SlotsTest, case_G03) {
  EXPECT_EQ(slot_bytes({{1, 3, 32}, {2, 3, 32}}), (std::vector<std::uint64_t>{32, 32}));
}

TEST(SlotsTest, case_G04) {
  EXPECT_EQ(slot_bytes({{1, 1, 32}, {2, 2, 32}}), std::vector<std::uint64_t>{32});
}

TEST(SlotsTest, case_J12) {
  EXPECT_EQ(sum(slot_bytes({{0, 3, 8 * kMiB}, {2, 7, 4 * kMiB}, {5, 8, 6 * kMiB}})), 12 * kMiB);
}

TEST(SlotsTest, contract_TR_1_lifetimes_that_touch_do_not_share) {
  EXPECT_EQ(slot_bytes({{0, 1, 4}, {1, 2, 4}}).size(), 2u);
  EXPECT_EQ(slot_bytes({{0, 1, 4}, {2, 2, 4}}).size(), 1u);
}

TEST(SlotsTest, contract_TR_1_usage_flags_are_merged) {
  const std::vector<Lifetime> lifetimes = {{0, 0, 8, kUsageStorage}, {1, 1, 4, kUsageIndirect}};
  const auto assignment = assign_slots(lifetimes);
  ASSERT_EQ(assignment.slots.size(), 1u);
  EXPECT_EQ(assignment.slots[0], (PlanSlot{8, kUsageStorage | kUsageIndirect}));
}

// Largest first, these four take three bytes: the first two share a slot and then stand in the way.
TEST(SlotsTest, contract_TR_2_where_order_of_use_is_tighter) {
  EXPECT_EQ(sum(slot_bytes({{4, 4, 1}, {1, 2, 1}, {2, 3, 1}, {3, 5, 1}})), 2u);
}

// In order of use, the small slot would grow for the last buffer.
TEST(SlotsTest, contract_TR_2_where_the_largest_first_is_tighter) {
  EXPECT_EQ(sum(slot_bytes({{0, 1, 1}, {0, 0, 8}, {2, 2, 8}})), 9u);
}

TEST(SlotsTest, no_transients_take_no_slots) { EXPECT_TRUE(slot_bytes({}).empty()); }

std::vector<Lifetime> random_lifetimes() {
  const auto number = [](std::uint32_t end) { return *rc::gen::inRange<std::uint32_t>(0, end); };
  std::vector<Lifetime> lifetimes(number(9));
  for (Lifetime& lifetime : lifetimes) {
    lifetime.first = number(9);
    lifetime.last = lifetime.first + number(5);
    lifetime.bytes = 1 + number(9);
  }
  return lifetimes;
}

RC_GTEST_PROP(SlotsTest, contract_TR_1_two_live_buffers_never_share_a_slot, ()) {
  const auto lifetimes = random_lifetimes();
  const auto assignment = assign_slots(lifetimes);
  RC_ASSERT(assignment.slot_of.size() == lifetimes.size());
  for (std::size_t a = 0; a < lifetimes.size(); ++a) {
    RC_ASSERT(assignment.slots[assignment.slot_of[a]].bytes >= lifetimes[a].bytes);
    for (std::size_t b = 0; b < a; ++b) {
      const bool are_both_live =
          lifetimes[a].first <= lifetimes[b].last && lifetimes[b].first <= lifetimes[a].last;
      RC_ASSERT(!are_both_live || assignment.slot_of[a] != assignment.slot_of[b]);
    }
  }
}

RC_GTEST_PROP(SlotsTest, contract_TR_2_never_more_than_the_rule_or_than_no_reuse, ()) {
  const auto lifetimes = random_lifetimes();
  const std::uint64_t bytes = sum(slot_bytes(lifetimes));
  std::uint64_t without_reuse = 0;
  for (const Lifetime& lifetime : lifetimes)
    without_reuse += lifetime.bytes;
  RC_ASSERT(bytes <= bytes_by_the_rule(lifetimes));
  RC_ASSERT(bytes <= without_reuse);
}

}  // namespace
}  // namespace wgprim
