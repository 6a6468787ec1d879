// Row counts below a node's capacity, given per encode: exactly so many rows are written, whatever
// else is recorded before the submit, and an encode without counts creates nothing.
#include "native/row_counts.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "native/executable_state.hpp"
#include "support/gpu_fixture.hpp"
#include "support/log_plans.hpp"

namespace wgprim::testing {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kOld = 77;

/// Counts round the edges of workgroups (32), of the first dispatch (600) and of the capacity.
constexpr std::uint64_t kCounts[] = {0, 1, 31, 32, 33, 128, 129, 599, 600, 601, 760, 999, 1000};

TEST(RowCountArithmetic, EachItemIsTakenOnceAndShapesHoldAllWorkgroups) {
  constexpr Shape kShape = {3, 2, 2};
  for (const std::uint64_t rows_per_item : {1u, 4u, 256u}) {
    for (const std::uint64_t first : {0u, 1u, 40u}) {
      const PlanExtent extent{.first_item = first,
                              .items = 90,
                              .rows_per_item = rows_per_item,
                              .items_per_workgroup = 8};
      for (std::uint64_t rows = 0; rows <= (first + 92) * rows_per_item; ++rows) {
        std::uint64_t items = 0;  // Item i holds the rows from i * rows_per_item on.
        for (std::uint64_t i = first; i < first + 90; ++i)
          items += i * rows_per_item < rows ? 1 : 0;
        const native::ExtentWork work = native::work_of(extent, kShape, rows);
        ASSERT_EQ(work.items, items) << rows;
        const auto [x, y, z] = work.shape;
        if (items == 0) continue;
        ASSERT_EQ(work.workgroups, (items + 7) / 8);
        ASSERT_GE(x * y * z, work.workgroups);
        ASSERT_TRUE(x <= kShape[0] && y <= kShape[1] && z <= kShape[2]);
      }
    }
  }
}

TEST(RowCountArithmetic, NoCountIsTooLarge) {
  const PlanExtent extent{.first_item = 1, .items = 90, .rows_per_item = 3};
  EXPECT_EQ(native::work_of(extent, {90, 1, 1}, native::kAllRows).items, 90u);
  EXPECT_EQ(native::work_of(extent, {90, 1, 1}, native::kAllRows).shape, (Shape{90, 1, 1}));
}

class RowCounts : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped()) executable_ = must(Executable::create(device(), counted_plan()));
  }

  Buffer make_out() { return make_buffer(device(), Words(kCountedRows, kOld)); }

  void expect_rows(Buffer& out, std::uint64_t rows) {
    EXPECT_EQ(read_words(device(), out, kCountedRows), counted_rows(rows, kOld)) << rows;
    EXPECT_TRUE(has_canaries(device(), out, kCountedRows)) << rows;
  }

  void encode(WGPUCommandEncoder encoder, const Buffer& out, std::optional<std::uint64_t> rows) {
    const Import imports[] = {{"out", &out}};
    const RowCount counts[] = {{"number", rows.value_or(0)}};
    must(executable_->encode(
        encoder,
        {.imports = imports, .row_counts = std::span(counts).first(rows.has_value() ? 1 : 0)}));
  }

  std::string message_of(const std::vector<RowCount>& counts) {
    const Buffer out = make_out();
    const Import imports[] = {{"out", &out}};
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    const auto result =
        executable_->encode(encoder.get(), {.imports = imports, .row_counts = counts});
    return result ? std::string() : result.error().message;
  }

  std::optional<Executable> executable_;
};

TEST_F(RowCounts, case_K04_ExactlySoManyRowsAreWritten) {
  for (const std::uint64_t rows : kCounts) {
    Buffer out = make_out();
    for (int round = 0; round < 2; ++round) {
      const WGPUCommandEncoder encoder = make_encoder(device());
      encode(encoder, out, rows);
      must(device().submit_and_wait(encoder, 0));
      expect_rows(out, rows);
    }
  }
}

TEST_F(RowCounts, contract_SC_16_TheDeviceMayHaveAllRowsAfterFew) {
  for (const std::optional<std::uint64_t> rows : {std::optional<std::uint64_t>(0), {}, {33}, {}}) {
    Buffer out = make_out();
    const WGPUCommandEncoder encoder = make_encoder(device());
    encode(encoder, out, rows);
    must(device().submit_and_wait(encoder, 0));
    expect_rows(out, rows.value_or(kCountedRows));
  }
}

TEST_F(RowCounts, contract_E_6_EncodesBeforeOneSubmitKeepTheirCounts) {
  std::vector<Buffer> outs;
  const WGPUCommandEncoder encoder = make_encoder(device());
  for (const std::uint64_t rows : kCounts) {
    outs.push_back(make_out());
    encode(encoder, outs.back(), rows);
  }
  outs.push_back(make_out());
  encode(encoder, outs.back(), std::nullopt);
  must(device().submit_and_wait(encoder, 0));
  for (std::size_t i = 0; i < std::size(kCounts); ++i)
    expect_rows(outs[i], kCounts[i]);
  expect_rows(outs.back(), kCountedRows);
}

TEST_F(RowCounts, contract_E_6_EncodersMayBeSubmittedInAnyOrder) {
  Buffer first = make_out(), second = make_out();
  const WGPUCommandEncoder early = make_encoder(device()), late = make_encoder(device());
  encode(early, first, 5);
  encode(late, second, 700);
  must(device().submit_and_wait(late, 0));
  must(device().submit_and_wait(early, 0));
  expect_rows(first, 5);
  expect_rows(second, 700);
}

TEST_F(RowCounts, contract_E_6_EncodesInOnePassKeepTheirCounts) {
  std::vector<Buffer> outs;
  const WGPUCommandEncoder encoder = make_encoder(device());
  native::ComputePassHandle pass(wgpuCommandEncoderBeginComputePass(encoder, nullptr));
  for (const std::uint64_t rows : kCounts) {
    outs.push_back(make_out());
    const Import imports[] = {{"out", &outs.back()}};
    const RowCount counts[] = {{"number", rows}};
    must(executable_->encode_in_pass(pass.get(), {.imports = imports, .row_counts = counts}));
  }
  wgpuComputePassEncoderEnd(pass.get());
  pass.reset();
  must(device().submit_and_wait(encoder, 0));
  for (std::size_t i = 0; i < std::size(kCounts); ++i)
    expect_rows(outs[i], kCounts[i]);
}

TEST_F(RowCounts, OnlyTheWordsOfAnEncodeAreNew) {
  Buffer out = make_out();
  const auto created_by = [&](std::optional<std::uint64_t> rows) {
    const CreationCounts before = device().creation_counts();
    const native::CommandEncoderHandle encoder(make_encoder(device()));
    encode(encoder.get(), out, rows);
    const CreationCounts after = device().creation_counts();
    EXPECT_EQ(after.pipelines, before.pipelines);
    return std::pair(after.buffers - before.buffers, after.bind_groups - before.bind_groups);
  };
  created_by({});
  created_by(3);
  EXPECT_EQ(created_by({}), std::pair(0ul, 0ul));
  EXPECT_EQ(created_by(4), std::pair(1ul, 0ul)) << "A kilobyte of words, and no bind group.";
  EXPECT_EQ(created_by(1000), std::pair(1ul, 0ul));
  EXPECT_EQ(created_by({}), std::pair(0ul, 0ul));
}

/// The second buffer of parameters begins at dispatch 4096.
TEST_F(RowCounts, ManyDispatchesFollowTheirCount) {
  constexpr std::uint32_t kDispatches = 4200;
  Plan plan = counted_plan();
  const PlanDispatch pattern = plan.dispatches[0];
  plan.dispatches.assign(kDispatches, pattern);
  plan.nodes[0].row_capacity = kDispatches;
  for (std::uint32_t i = 0; i < kDispatches; ++i) {
    const std::uint32_t row = i % kCountedRows;
    plan.dispatches[i].parameters = {1, 1, row, 0};
    plan.dispatches[i].extent = PlanExtent{.first_item = i, .items = 1};
    plan.dispatches[i].shape = {1, 1, 1};
  }
  plan.passes = {PlanComputePass{0, kDispatches}};
  executable_ = must(Executable::create(device(), std::move(plan)));
  Buffer few = make_out(), many = make_out();
  const WGPUCommandEncoder encoder = make_encoder(device());
  encode(encoder, few, 300);
  encode(encoder, many, 4150);
  must(device().submit_and_wait(encoder, 0));
  expect_rows(few, 300);
  expect_rows(many, kCountedRows);
}

TEST_F(RowCounts, case_K04_MistakesAreNamed) {
  EXPECT_EQ(message_of({{"number", 1001}}),
            "Node 'number' is given 1001 rows, more than the capacity it was planned for (1000).");
  EXPECT_EQ(message_of({{"numbre", 1}}),
            "The row count of node 'numbre' names no node of the plan.");
  EXPECT_EQ(message_of({{"number", 1}, {"number", 1}}),
            "The row count of node 'number' is given twice.");
  EXPECT_EQ(message_of({{"number", 1000}}), "");
  Plan fixed = counted_plan();
  fixed.nodes[0].row_capacity.reset();
  for (PlanDispatch& dispatch : fixed.dispatches)
    dispatch.extent.reset();
  executable_ = must(Executable::create(device(), std::move(fixed)));
  EXPECT_EQ(message_of({{"number", 1}}), "Node 'number' takes no row count.");
}

}  // namespace
}  // namespace wgprim::testing
