// The host's replay of a workgroup's scan: the rounds of the acceptance case, and the end result.
#include "reference/block_ladder.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace wgprim::reference {
namespace {

using Words = std::vector<std::uint32_t>;

TEST(BlockLadderTest, case_K05) {
  const auto rounds = trace_block_ladder(Words{1, 0, 1, 1, 0, 1, 0, 1});
  EXPECT_EQ(rounds,
            (std::vector<Words>{
                {1, 1, 1, 2, 1, 1, 1, 1}, {1, 1, 2, 3, 2, 3, 2, 2}, {1, 1, 2, 3, 3, 4, 4, 5}}));
}

TEST(BlockLadderTest, contract_I_4_a_block_takes_eight_rounds) {
  EXPECT_EQ(trace_block_ladder(Words(256, 1)).size(), 8u);
}

TEST(BlockLadderTest, ends_with_the_inclusive_scan) {
  for (std::uint32_t lanes = 2; lanes <= 300; ++lanes) {
    Words values(lanes);
    std::iota(values.begin(), values.end(), 0xfffffff0u);
    Words expected(lanes);
    std::inclusive_scan(values.begin(), values.end(), expected.begin());
    EXPECT_EQ(trace_block_ladder(values).back(), expected) << lanes << " lanes";
  }
}

TEST(BlockLadderTest, needs_no_round_for_fewer_than_two_values) {
  EXPECT_TRUE(trace_block_ladder(Words{}).empty());
  EXPECT_TRUE(trace_block_ladder(Words{7}).empty());
}

}  // namespace
}  // namespace wgprim::reference
