// Segments, chunks and counts that scans and reductions have got wrong elsewhere (scenarios F), on
// every path, with and without subgroups.
#include <gtest/gtest.h>

#include "support/family_on_device.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim::testing {
namespace {

constexpr ScanMode kInclusive = ScanMode::inclusive;

class ScenarioSegmentsTest : public FamilyOnDevice {
 protected:
  /// Scanned and reduced.
  static void expect_segments(std::uint64_t rows, const Words& flags) {
    expect_right(with_flags(separate_scan(rows, kInclusive), flags));
    expect_right(ReduceCase{.rows = {rows}, .flags = flags});
  }
};

TEST_F(ScenarioSegmentsTest, F1_F6_F8_row_0_starts_a_segment_and_so_does_every_flag_but_0) {
  const Words values = {1, 2, 3, 4, 5};
  const ScanCase scan = scan_of(values, kInclusive);
  expect_output(with_flags(scan, {0, 0, 1, 0, 0}), {1, 3, 3, 7, 12});
  expect_output(with_flags(scan, {2, 0, 7, 0, 0xffffffff}), {1, 3, 3, 7, 5});
  expect_output(ReduceCase{.rows = {5}, .flags = Words{0, 0, 1, 0, 0}, .values = values}, {3, 12});
  expect_output(ReduceCase{.rows = {5}, .flags = Words{2, 0, 7, 0, 0xffffffff}, .values = values},
                {3, 7, 5});
}

TEST_F(ScenarioSegmentsTest, F7_a_segment_spans_many_tiles) {
  constexpr std::uint32_t kRows = 40961;  // Ten tiles of 16 rows a lane.
  Words flags(kRows);
  flags[0] = 0xffffffff;
  expect_segments(kRows, flags);
  expect_segments(kRows, Words(kRows, 7));
  for (std::uint32_t edge = 256; edge < kRows; edge += 256)
    flags[edge] = 7;
  expect_segments(kRows, flags);
}

TEST_F(ScenarioSegmentsTest, F7_a_flag_at_an_edge_of_tiles) {
  for (const std::uint32_t edge : {255u, 256u, 257u, 1023u, 1024u, 1025u, 2048u, 4095u, 4096u}) {
    Words flags(10'000);
    flags[edge] = edge % 2 == 0 ? 7 : 0xffffffff;
    expect_segments(10'000, flags);
  }
}

TEST_F(ScenarioSegmentsTest, F9_empty_ranges) {
  const Words values = {1, 2, 3, 4, 5};
  expect_output(ReduceCase{.rows = {5}, .offsets = Words{0, 0, 3, 3, 3, 5}, .values = values},
                {0, 6, 0, 0, 9});
  expect_output(
      ReduceCase{
          .rows = {5}, .op = OperatorKind::min, .offsets = Words{0, 0, 3, 3, 5}, .values = values},
      {0xffffffff, 1, 0xffffffff, 4});
}

TEST_F(ScenarioSegmentsTest, F11_scan_by_key) {
  expect_output(with_flags(scan_of({1, 2, 3, 4, 5, 6}, kInclusive), {0, 0, 0, 1, 0, 0}),
                {1, 3, 6, 4, 9, 15});
}

TEST_F(ScenarioSegmentsTest, F12_empty_chunks_add_no_dispatch) {
  const ScanCase sparse = chunked_scan({0, 3, 0, 5, 0}, {0, 8, 0});
  EXPECT_EQ(must(plan_for(device(), sparse)).dispatches.size(),
            must(plan_for(device(), chunked_scan({3, 5}, {8}))).dispatches.size());
  expect_right(sparse);
  expect_right(chunked_scan({}, {}));
  expect_right(ReduceCase{.rows = {0, 3, 0, 5, 0}});
  expect_right(ReduceCase{.rows = {0, 3, 0, 5, 0}, .flags = Words{0, 0, 0, 1, 0, 0, 1, 0}});
}

TEST_F(ScenarioSegmentsTest, F13_input_flags_and_output_in_chunks_of_their_own) {
  const ScanCase scan = chunked_scan({1000, 24}, {7, 1017});
  expect_right(with_chunked_flags(scan, {512, 512}));
  ReduceCase reduce{.rows = {1000, 24}, .flags = Words(1024)};
  (*reduce.flags)[511] = (*reduce.flags)[1001] = 1;
  reduce.flag_rows = {512, 512};
  reduce.output_rows = {1, 1023};
  expect_right(reduce);
}

TEST_F(ScenarioSegmentsTest, F15_a_count_above_the_capacity) {
  for (const std::uint32_t count : {1001u, 0xffffffffu}) {
    expect_right(with_count(separate_scan(1000), count));
    expect_right(ReduceCase{.rows = {1000}, .row_count = count});
  }
}

// The sum of the flags says how many rows the reduction and the scan take.
TEST_F(ScenarioSegmentsTest, F16_a_count_reduced_earlier_in_the_same_graph) {
  constexpr std::uint64_t kRows = 2000;
  for (const Way& way : ways()) {
    Graph graph;
    const auto imported = [&](const char* id, std::uint64_t rows) {
      return DataView{.buffer = must(graph.import_buffer({id, 4 * rows})), .rows = rows};
    };
    const DataView flags = imported("flags", kRows), input = imported("input", kRows),
                   count = imported("count", 1), total = imported("total", 1),
                   output = imported("output", kRows);
    const auto reduce = [&](const char* id, const DataView& rows, const DataView& result) {
      return Reduce{
          .id = id, .input = rows, .output = result, .path = way.path, .subgroups = way.subgroups};
    };
    must(graph.add(reduce("counting", flags, count)));
    Reduce counted = reduce("total", input, total);
    counted.row_count = count;
    must(graph.add(counted));
    must(graph.add(Scan{.id = "prefixes",
                        .input = input,
                        .output = output,
                        .row_count = count,
                        .path = way.path,
                        .subgroups = way.subgroups}));
    Executable executable = must(compile(device(), graph));
    const Words ones(kRows, 1);
    const Words chosen = generated(kRows, [](auto i) { return i % 4 == 0 ? 1u : 0u; });
    const Buffer given[] = {make_buffer(device(), chosen), make_buffer(device(), ones)};
    Buffer found[] = {make_buffer(device(), Words(1)), make_buffer(device(), Words(1)),
                      make_buffer(device(), Words(kRows, 77))};
    const Import imports[] = {{"flags", &given[0]},
                              {"input", &given[1]},
                              {"count", &found[0]},
                              {"total", &found[1]},
                              {"output", &found[2]}};
    must(run(device(), executable, {.imports = imports}));
    EXPECT_EQ(read_words(device(), found[0], 1), Words{500}) << way;
    EXPECT_EQ(read_words(device(), found[1], 1), Words{500}) << way;
    EXPECT_EQ(read_words(device(), found[2], kRows),
              generated(kRows, [](auto i) { return i < 500 ? i : 77; }))
        << way;
  }
}

}  // namespace
}  // namespace wgprim::testing
