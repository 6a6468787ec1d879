// Where arrays of plan_scan lie: cut by chunks and by the largest buffer, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "wgprim/graph.hpp"

namespace wgprim::testing {
namespace {

using Numbers = std::vector<std::uint64_t>;

ArrayLayout layout_of(std::uint64_t rows, Format format, const Placement& placement,
                      std::uint64_t largest_buffer = 1 << 28) {
  Limits limits;
  limits.max_buffer_size = largest_buffer;
  return lay_out_array("input", rows, format, placement, limits).value();
}

std::string error_of(std::uint64_t rows, const Placement& placement, const Limits& limits = {}) {
  const auto layout = lay_out_array("input", rows, Format::uint32, placement, limits);
  return layout ? "" : layout.error().message;
}

TEST(ArrayLayoutTest, without_chunks_it_is_one_buffer) {
  const ArrayLayout layout = layout_of(10, Format::uint64, {});
  EXPECT_EQ(layout.buffer_bytes, Numbers{80});
  EXPECT_EQ(layout.parts, (std::vector<ArrayPart>{{0, 0, 10}}));
  EXPECT_EQ(layout.buffer_id("input", 0), "input");
}

TEST(ArrayLayoutTest, each_chunk_has_a_buffer) {
  const ArrayLayout layout = layout_of(10, Format::uint32, {{3, 0, 7}, 8});
  EXPECT_EQ(layout.buffer_bytes, (Numbers{20, 8, 36}));
  EXPECT_EQ(layout.parts, (std::vector<ArrayPart>{{0, 8, 3}, {1, 8, 0}, {2, 8, 7}}));
  EXPECT_EQ(layout.buffer_id("input", 2), "input2");
}

TEST(ArrayLayoutTest, many_chunks_share_buffers_with_gaps_between) {
  const Placement placement{Numbers(100'000, 3), 0};
  const ArrayLayout layout = layout_of(300'000, Format::uint32, placement);
  EXPECT_LE(layout.buffer_bytes.size(), 1024u);
  ASSERT_EQ(layout.parts.size(), 100'000u);
  for (std::size_t i = 1; i < layout.parts.size(); ++i) {
    const ArrayPart& before = layout.parts[i - 1];
    const ArrayPart& part = layout.parts[i];
    ASSERT_EQ(part.rows, 3u);
    ASSERT_EQ(part.byte_offset % 16, 0u);
    if (part.buffer == before.buffer) {
      ASSERT_GT(part.byte_offset, before.byte_offset + 12);
    } else {
      ASSERT_EQ(part.buffer, before.buffer + 1);
      ASSERT_EQ(part.byte_offset, 0u);
    }
    ASSERT_LE(part.byte_offset + 12, layout.buffer_bytes[part.buffer]);
  }
}

TEST(ArrayLayoutTest, contract_V_8_what_no_buffer_holds_lies_in_several) {
  const ArrayLayout layout = layout_of(1000, Format::uint32, {{1000}, 4}, 2000);
  std::uint64_t rows = 0;
  for (const ArrayPart& part : layout.parts)
    rows += part.rows;
  EXPECT_EQ(rows, 1000u);
  EXPECT_LE(*std::ranges::max_element(layout.buffer_bytes), 2000u);
  EXPECT_EQ(layout.parts.front().rows % 256, 0u) << "whole blocks";
}

TEST(ArrayLayoutTest, chunks_add_up_to_the_rows) {
  EXPECT_EQ(error_of(10, {{4, 5}, 0}),
            "The chunks of array 'input' hold 9 rows, not the 10 that there are.");
  EXPECT_EQ(error_of(1, {{UINT64_MAX, 2}, 0}),
            "The chunks of array 'input' hold 18446744073709551615 rows, not the 1 that there "
            "are.");
  EXPECT_EQ(error_of(5, {{0, 5, 0}, 0}), "");
}

TEST(ArrayLayoutTest, a_scan_in_place_has_one_placement) {
  const auto plan = plan_scan(
      10, {.is_in_place = true, .input = {{4, 6}, 0}, .output = {{6, 4}, 0}}, DeviceProfile{});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().message,
            "The chunks of a scan in place are those of its input and of its output alike.");
}

}  // namespace
}  // namespace wgprim::testing
