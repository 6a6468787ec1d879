// The block scans as their WGSL is written, run lane by lane in ascending and descending order:
// right in both, for operators that do not commute, at every subgroup size, with 17 barriers or
// one, and wrong in one of the two orders without any single barrier. The gpu ring runs the same
// mutations on the driver at hand (tests/gpu/mutation_test.cpp).
#include <gtest/gtest.h>

#include "kernels/assemble.hpp"
#include "support/lane_machine.hpp"
#include "support/mutation.hpp"

namespace wgprim::testing {
namespace {

constexpr LaneOrder kOrders[] = {LaneOrder::ascending, LaneOrder::descending};
constexpr std::uint32_t kLane = 1;  // A subgroup of one lane: lane after lane.

std::string portable_text() { return text_of(kernels::specialise("scan_blocks").value()); }
std::string subgroup_text() { return text_of(kernels::specialise("scan_blocks_subgroup").value()); }

/// The subgroup kernel for operators that subgroups have no instruction for.
std::string shuffling_text(std::string_view kernel = "scan_blocks_subgroup") {
  return text_of(kernels::specialise(kernel, {{"operator", "op_max"},
                                              {"order", "order_u32"},
                                              {"subgroup_operator", "op_shuffle_subgroup"},
                                              {"shuffle", "shuffle_total"}})
                     .value());
}

Words some_values(std::uint32_t count) {
  Words values(count);
  for (std::uint32_t i = 0; i < count; ++i)
    values[i] = (i + 1) * 2654435761u;
  return values;
}

Words exclusive_scan(const Words& values, const LaneOperator& op) {
  Words before;
  std::uint32_t running = op.identity;
  for (const std::uint32_t value : values) {
    before.push_back(running);
    running = op.combine(running, value);
  }
  return before;
}

Words inclusive_scan(const Words& values, const LaneOperator& op) {
  Words through = exclusive_scan(values, op);
  for (std::size_t i = 0; i < values.size(); ++i)
    through[i] = op.combine(through[i], values[i]);
  return through;
}

struct Setting {
  std::uint32_t subgroup_size = kLane;
  LaneOperator op = lane_sum();
};

bool is_right(const std::string& text, std::uint32_t width, const Setting& setting,
              LaneOrder order) {
  const Words values = some_values(width);
  const BlockRun run = run_lanes(
      text, values, {.subgroup_size = setting.subgroup_size, .order = order, .op = setting.op});
  return run.fault.empty() && run.before == exclusive_scan(values, setting.op) &&
         run.through == inclusive_scan(values, setting.op);
}

/// The orders in which the text computes the right thing at 256 lanes.
std::vector<LaneOrder> right_orders(const std::string& text, const Setting& setting = {}) {
  std::vector<LaneOrder> orders;
  for (const LaneOrder order : kOrders) {
    if (is_right(text, 256, setting, order)) orders.push_back(order);
  }
  return orders;
}

using Orders = std::vector<LaneOrder>;
const Orders kBoth = {LaneOrder::ascending, LaneOrder::descending};

TEST(LaneMachineTest, the_affine_operator_is_associative_and_does_not_commute) {
  const auto [identity, combine] = lane_affine();
  const Words v = some_values(3);
  EXPECT_EQ(combine(combine(v[0], v[1]), v[2]), combine(v[0], combine(v[1], v[2])));
  EXPECT_NE(combine(v[0], v[1]), combine(v[1], v[0]));
  EXPECT_EQ(combine(identity, v[0]), v[0]);
  EXPECT_EQ(combine(v[0], identity), v[0]);
}

TEST(BlockLadderTextTest, is_right_in_any_order_at_any_width) {
  for (const std::uint32_t width : {1u, 2u, 4u, 64u, 128u, 256u}) {
    for (const LaneOrder order : kOrders) {
      EXPECT_TRUE(is_right(portable_text(), width, {}, order)) << width << " lanes";
      EXPECT_TRUE(is_right(portable_text(), width, {.op = lane_affine()}, order))
          << width << " lanes, an operator that does not commute";
    }
  }
}

TEST(BlockLadderTextTest, contract_I_4_takes_17_barriers_at_256_lanes) {
  constexpr std::size_t kBarriers = 17;
  EXPECT_EQ(run_lanes(portable_text(), some_values(256), {}).at_barriers.size(), kBarriers);
  EXPECT_EQ(count_barriers(portable_text()), 3u) << "one before the loop, two in it";
}

TEST(BlockLadderTextTest, case_K05) {
  for (const LaneOrder order : kOrders) {
    const auto run = run_lanes(portable_text(), {1, 0, 1, 1, 0, 1, 0, 1}, {.order = order});
    ASSERT_EQ(run.at_barriers.size(), 7u);
    EXPECT_EQ(run.at_barriers[0], (Words{1, 0, 1, 1, 0, 1, 0, 1}));
    EXPECT_EQ(run.at_barriers[2], (Words{1, 1, 1, 2, 1, 1, 1, 1}));
    EXPECT_EQ(run.at_barriers[4], (Words{1, 1, 2, 3, 2, 3, 2, 2}));
    EXPECT_EQ(run.at_barriers[6], (Words{1, 1, 2, 3, 3, 4, 4, 5}));
  }
}

TEST(BlockLadderTextTest, mutation_without_the_barrier_before_the_rounds) {
  EXPECT_EQ(right_orders(without_barrier(portable_text(), 0)), Orders{LaneOrder::ascending});
}

TEST(BlockLadderTextTest, mutation_without_the_barrier_between_reads_and_writes) {
  EXPECT_EQ(right_orders(without_barrier(portable_text(), 1)), Orders{LaneOrder::descending});
}

TEST(BlockLadderTextTest, mutation_without_the_barrier_between_writes_and_reads) {
  EXPECT_EQ(right_orders(without_barrier(portable_text(), 2)), Orders{LaneOrder::ascending});
}

TEST(BlockLadderTextTest, mutation_with_a_barrier_in_divergent_flow) {
  const std::string text = with_replaced(portable_text(), "if (lane >= distance) {",
                                         "if (lane >= distance) { workgroupBarrier();");
  EXPECT_EQ(run_lanes(text, some_values(8), {}).fault, "Lanes wait at different places.");
}

TEST(BlockLadderTextTest, mutation_with_operands_the_other_way_round) {
  const std::string text = with_replaced(portable_text(), "combine_items(before, through)",
                                         "combine_items(through, before)");
  EXPECT_EQ(right_orders(text), kBoth) << "a sum commutes";
  EXPECT_EQ(right_orders(text, {.op = lane_affine()}), Orders{});
}

TEST(BlockSubgroupsTextTest, is_right_for_every_subgroup_size_in_any_order) {
  for (std::uint32_t size = 1; size <= 128; size *= 2) {
    EXPECT_EQ(right_orders(subgroup_text(), {size}), kBoth) << "subgroups of " << size;
  }
  EXPECT_TRUE(is_right(subgroup_text(), 64, {64}, LaneOrder::descending));
}

TEST(BlockSubgroupsTextTest, takes_one_barrier) {
  for (const std::string& text : {subgroup_text(), shuffling_text()}) {
    const auto run = run_lanes(text, some_values(256), {.subgroup_size = 8});
    EXPECT_EQ(run.at_barriers.size(), 1u);
  }
}

TEST(BlockSubgroupsTextTest, mutation_without_the_barrier) {
  for (const std::uint32_t size : {4u, 8u, 32u, 128u}) {
    EXPECT_EQ(right_orders(without_barrier(subgroup_text(), 0), {size}),
              Orders{LaneOrder::ascending})
        << "subgroups of " << size;
  }
}

TEST(ShuffleTextTest, any_operator_is_right_for_every_subgroup_size_in_any_order) {
  for (std::uint32_t size = 1; size <= 128; size *= 2) {
    for (const LaneOperator& op : {lane_sum(), lane_affine()}) {
      EXPECT_EQ(right_orders(shuffling_text(), {size, op}), kBoth) << "subgroups of " << size;
    }
  }
}

TEST(ShuffleTextTest, mutation_with_operands_of_the_butterfly_the_other_way_round) {
  const std::string text =
      with_replaced(shuffling_text(), "combine_items(other, total)", "combine_items(total, other)");
  EXPECT_EQ(right_orders(text, {8, lane_affine()}), Orders{});
}

TEST(ShuffleTextTest, mutation_with_operands_of_the_scan_the_other_way_round) {
  const std::string text = with_replaced(shuffling_text(), "combine_items(before, through)",
                                         "combine_items(through, before)");
  EXPECT_EQ(right_orders(text, {8, lane_affine()}), Orders{});
}

TEST(ShuffleTextTest, mutation_without_the_guard_of_the_first_lanes) {
  const std::string text = with_replaced(shuffling_text(), "if (lane_in_subgroup >= distance) {",
                                         "if (lane_in_subgroup >= 0u) {");
  EXPECT_EQ(right_orders(text, {8}), Orders{});
}

/// A tile of two rounds over the array `rows`, as scan_tile goes about it, results in `results`.
constexpr const char* kTwoRounds = R"(
fn two_rounds(lane: u32, value: Item) -> RoundScan {
  let at_0 = round_position(lane, 0u, 2u);
  let at_1 = round_position(lane, 1u, 2u);
  let round_0 = scan_round(lane, rows[at_0]);
  let round_1 = scan_round(lane, rows[at_1]);
  let total = combine_items(round_0.total, round_1.total);
  let carry = carry_before(total);
  results[at_0] = combine_items(carry, round_0.before);
  results[at_1] = combine_items(carry, combine_items(round_0.total, round_1.before));
  return RoundScan(carry, combine_items(carry, total));
}
)";

/// What a tile of two rounds comes to; the last lane's total is that of the tile.
void expect_right_rounds(const std::string& text, std::uint32_t subgroup_size,
                         const LaneOperator& op) {
  constexpr std::uint32_t kWidth = 256;
  const Words rows = some_values(2 * kWidth);
  for (const LaneOrder order : kOrders) {
    const BlockRun run = run_lanes(text + kTwoRounds, Words(kWidth),
                                   {.function = "two_rounds",
                                    .subgroup_size = subgroup_size,
                                    .order = order,
                                    .op = op,
                                    .memory = {{"results", Words(2 * kWidth)}, {"rows", rows}}});
    EXPECT_EQ(run.fault, "");
    EXPECT_EQ(run.memory.at("results"), exclusive_scan(rows, op));
    EXPECT_EQ(run.through.back(), inclusive_scan(rows, op).back());
    EXPECT_EQ(run.at_barriers.size(), 1u);
  }
}

TEST(TileSubgroupsTextTest, two_rounds_are_right_for_every_subgroup_size) {
  for (std::uint32_t size = 1; size <= 128; size *= 2) {
    expect_right_rounds(text_of(kernels::specialise("scan_tiles_subgroup").value()), size,
                        lane_sum());
    expect_right_rounds(shuffling_text("scan_tiles_subgroup"), size, lane_affine());
  }
}

TEST(TileSubgroupsTextTest, the_total_of_a_round_is_that_of_its_rows) {
  constexpr const char* kRound = R"(
fn one_round(lane: u32, value: Item) -> RoundScan {
  return RoundScan(carry_before(reduce_round(lane, value)), reduce_round(lane, value));
}
)";
  const Words values = some_values(256);
  for (std::uint32_t size = 1; size <= 128; size *= 2) {
    const BlockRun run =
        run_lanes(shuffling_text("reduce_tiles_subgroup") + kRound, values,
                  {.function = "one_round", .subgroup_size = size, .op = lane_affine()});
    EXPECT_EQ(run.fault, "");
    EXPECT_EQ(lane_affine().combine(run.before.back(), run.through.back()),
              inclusive_scan(values, lane_affine()).back())
        << "subgroups of " << size;
  }
}

TEST(TileLadderTextTest, a_round_is_a_block_scan_with_its_total) {
  const std::string text = text_of(kernels::specialise("scan_tiles").value());
  const Words values = some_values(256);
  for (const LaneOrder order : kOrders) {
    const BlockRun run =
        run_lanes(text, values, {.function = "scan_round", .order = order, .op = lane_affine()});
    EXPECT_EQ(run.before, exclusive_scan(values, lane_affine()));
    EXPECT_EQ(run.through, Words(256, inclusive_scan(values, lane_affine()).back()));
  }
}

TEST(WgslStepsTest, what_is_not_understood_is_an_error) {
  const std::string strange =
      with_replaced(portable_text(), "ladder[lane] = through;", "ladder[lane] = ~through;");
  EXPECT_THROW(run_lanes(strange, some_values(8), {}), std::runtime_error);
  EXPECT_THROW(run_lanes("", {1}, {}), std::runtime_error);
}

}  // namespace
}  // namespace wgprim::testing
