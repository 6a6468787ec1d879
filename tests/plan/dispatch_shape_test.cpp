// Bounded dispatch shapes: the table of contract D-1, and what holds for any count and limit.
#include "graph/dispatch_shape.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wgprim {
namespace {

struct Row {
  std::uint64_t elements;
  std::uint64_t limit;
  Shape shape;
};

void expect_shapes(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    const auto shape = dispatch_shape(row.elements, 256, row.limit);
    ASSERT_TRUE(shape) << shape.error().message;
    EXPECT_EQ(*shape, row.shape) << row.elements << " elements, limit " << row.limit;
  }
}

TEST(DispatchShapeTest, case_F01) {
  expect_shapes({{0, 65535, {1, 1, 1}},
                 {65535 * 256, 65535, {65535, 1, 1}},
                 {65535 * 256 + 1, 65535, {65535, 2, 1}}});
}

TEST(DispatchShapeTest, case_F02) { expect_shapes({{1025, 2, {2, 2, 2}}}); }

TEST(DispatchShapeTest, case_F03) {
  const auto shape = dispatch_shape(2049, 256, 2);
  ASSERT_FALSE(shape);
  EXPECT_EQ(shape.error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(
      shape.error().message,
      "A dispatch over 2049 rows takes 9 workgroups of 256 rows, more than three dimensions of "
      "2 hold (maxComputeWorkgroupsPerDimension).");
}

TEST(DispatchShapeTest, case_J07) {
  expect_shapes({{0xffffffff, 65535, {65535, 257, 1}},
                 {256, 1, {1, 1, 1}},
                 {1024, 3, {3, 2, 1}},
                 {2305, 3, {3, 3, 2}}});
  EXPECT_FALSE(dispatch_shape(257, 256, 1));
}

TEST(DispatchShapeTest, contract_D_1) {
  expect_shapes({{1, 65535, {1, 1, 1}},
                 {256, 65535, {1, 1, 1}},
                 {257, 65535, {2, 1, 1}},
                 {16776960, 65535, {65535, 1, 1}},
                 {16776961, 65535, {65535, 2, 1}},
                 {2048, 2, {2, 2, 2}}});
}

TEST(DispatchShapeTest, counts_up_to_the_largest_number_of_rows_do_not_wrap) {
  EXPECT_FALSE(dispatch_shape(UINT64_MAX, 256, 65535));
  EXPECT_EQ(dispatch_shape(UINT64_MAX, UINT64_MAX, 1), (Shape{1, 1, 1}));
  EXPECT_EQ(workgroup_count({65535, 65535, 65535}), 65535ull * 65535 * 65535);
}

RC_GTEST_PROP(DispatchShapeTest, a_shape_covers_its_rows_within_the_limit, ()) {
  const auto elements = *rc::gen::inRange<std::uint64_t>(0, 0x100000000);
  const auto per_group = *rc::gen::inRange<std::uint64_t>(1, 4097);
  const auto limit = *rc::gen::inRange<std::uint64_t>(1, 65536);
  const std::uint64_t groups = (elements + per_group - 1) / per_group;
  const auto shape = dispatch_shape(elements, per_group, limit);
  RC_ASSERT(shape.has_value() == (groups <= limit * limit * limit));
  if (!shape) return;
  for (const std::uint64_t count : *shape)
    RC_ASSERT(count >= 1 && count <= limit);
  RC_ASSERT(workgroup_count(*shape) >= groups);
  // No layer of x * y groups is padding only.
  const std::uint64_t layer = std::uint64_t{(*shape)[0]} * (*shape)[1];
  RC_ASSERT((*shape)[2] == 1 || layer * ((*shape)[2] - 1) < groups);
}

}  // namespace
}  // namespace wgprim
