// What a description of sums of split 64-bit words may say (contract U-1, U-2), and that every
// refusal names the views.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/graphs.hpp"

namespace wgprim::testing {
namespace {

/// Six rows in each of four buffers, 'a' to 'd', with room for more.
struct Words6 {
  Graph graph;
  ScanU64 scan{.id = "sums",
               .input_low = imported(graph, "a", 64),
               .input_high = imported(graph, "b", 64),
               .output_low = imported(graph, "c", 64),
               .output_high = imported(graph, "d", 64)};
  Words6() {
    for (VectorView* view : operands())
      view->chunks[0].rows = 6;
  }
  std::array<VectorView*, 4> operands() {
    return {&scan.input_low, &scan.input_high, &scan.output_low, &scan.output_high};
  }
};

/// The view, 28 bytes further on.
VectorView beside(VectorView view) {
  view.chunks[0].byte_offset += 28;
  return view;
}

TEST(ScanU64RulesTest, case_C31_a_strided_view_is_refused) {
  constexpr const char* kNames[] = {"Low input", "High input", "Low output", "High output"};
  for (std::size_t i = 0; i < 4; ++i) {
    Words6 words;
    words.operands().at(i)->chunks[0].byte_stride = 8;
    expect_error(words.graph.add(words.scan), ErrorCode::invalid_view,
                 std::string(kNames[i]) + " of scan_u64 'sums' in buffer '" +
                     static_cast<char>('a' + i) +
                     "' has a stride of 8 bytes, but rows of 4 bytes must be packed.");
  }
}

TEST(ScanU64RulesTest, scenario_A5_rows_of_another_width_are_refused) {
  Words6 words;
  words.scan.output_low.chunks[0].format = Format::uint64;
  expect_error(words.graph.add(words.scan), ErrorCode::unsupported,
               "Low output of scan_u64 'sums' has rows of format uint64; it takes uint32.");
}

TEST(ScanU64RulesTest, contract_U_1_lengths_that_do_not_fit_are_refused) {
  Words6 words;
  words.scan.input_high.chunks[0].rows = 5;
  expect_error(words.graph.add(words.scan), ErrorCode::invalid_argument,
               "Low input of scan_u64 'sums' holds 6 rows, its high input 5.");
  words.scan.input_high.chunks[0].rows = 6;
  words.scan.output_high.chunks[0].rows = 5;
  expect_error(words.graph.add(words.scan), ErrorCode::invalid_argument,
               "High output of scan_u64 'sums' holds 5 rows, fewer than the input's 6.");
}

TEST(ScanU64RulesTest, case_C34_scenario_A7_every_pair_that_may_not_share_a_buffer) {
  struct Pair {
    std::size_t written;
    std::size_t other;
    const char* message;
  };
  const Pair pairs[] = {
      {2, 0,
       "The low output 'a' [28, 52) of scan_u64 'sums' shares a buffer with its low input 'a'"},
      {2, 1,
       "The low output 'b' [28, 52) of scan_u64 'sums' shares a buffer with its high input 'b'"},
      {2, 3,
       "The low output 'd' [28, 52) of scan_u64 'sums' shares a buffer with its high output 'd'"},
      {3, 0,
       "The high output 'a' [28, 52) of scan_u64 'sums' shares a buffer with its low input 'a'"},
  };
  for (const auto& [written, other, message] : pairs) {
    Words6 words;
    *words.operands().at(written) = beside(*words.operands().at(other));
    expect_error(words.graph.add(words.scan), ErrorCode::aliasing,
                 std::string(message) + " [0, 24).");
  }
}

TEST(ScanU64RulesTest, contract_U_2_pairs_that_may_share_a_buffer) {
  Words6 inputs;
  inputs.scan.input_high = beside(inputs.scan.input_low);
  EXPECT_TRUE(inputs.graph.add(inputs.scan));
  inputs.scan.id = "again";
  inputs.scan.input_high = inputs.scan.input_low;
  EXPECT_TRUE(inputs.graph.add(inputs.scan));
  Words6 high;
  high.scan.output_high = high.scan.input_high;
  EXPECT_TRUE(high.graph.add(high.scan));
}

TEST(ScanU64RulesTest, case_C36_chunks_of_an_output_that_overlap) {
  Words6 words;
  DataView two = words.scan.output_low.chunks[0];
  two.rows = 2;
  words.scan.output_low.chunks = {two, two, two};
  expect_error(words.graph.add(words.scan), ErrorCode::aliasing,
               "Low output of scan_u64 'sums' has chunks that share bytes: 'c' [0, 8) and "
               "'c' [0, 8).");
}

TEST(ScanU64RulesTest, a_row_count_lies_apart_from_both_outputs) {
  for (const auto& [output, name] : {std::pair<std::size_t, const char*>{2, "c"}, {3, "d"}}) {
    Words6 words;
    words.scan.row_count = words.operands().at(output)->chunks[0];
    words.scan.row_count->rows = 1;
    words.scan.row_count->byte_offset = 60;
    expect_error(words.graph.add(words.scan), ErrorCode::aliasing,
                 std::string("Row count of scan_u64 'sums' lies in buffer '") + name +
                     "', where its output is written.");
  }
}

TEST(ScanU64RulesTest, contract_G_2_high_words_that_are_copied_make_a_copy_source) {
  Graph graph;
  const BufferId high =
      graph.import_buffer({.id = "high", .bytes = 64, .usage = {Use::storage_read_write}}).value();
  ScanU64 scan{.id = "sums",
               .input_low = imported(graph, "low", 24),
               .input_high = DataView{.buffer = high, .rows = 6},
               .output_low = imported(graph, "sums_low", 24),
               .output_high = DataView{.buffer = high, .rows = 6, .byte_offset = 4}};
  expect_error(graph.add(scan), ErrorCode::invalid_graph,
               "Node 'sums' uses buffer 'high' as copy-source, which its declared usage "
               "(storage-read-write) does not allow.");
  scan.output_high.chunks[0].byte_offset = 0;
  EXPECT_TRUE(graph.add(scan)) << "in place nothing is copied";
}

TEST(ScanU64RulesTest, contract_SC_11_subgroups_that_the_device_lacks_are_an_error) {
  Words6 words;
  words.scan.subgroups = Subgroups::on;
  ASSERT_TRUE(words.graph.add(words.scan));
  expect_error(words.graph.compile({}), ErrorCode::unsupported,
               "Scan_u64 'sums' asks for subgroups, which the device does not offer.");
}

}  // namespace
}  // namespace wgprim::testing
