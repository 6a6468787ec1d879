// See the header.
#include "support/split_cases.hpp"

#include <array>
#include <utility>

namespace wgprim::testing {
namespace {

using Rows = std::vector<std::uint64_t>;

constexpr std::uint64_t kWord = 4;

/// Rows as their words, low before high.
template <class Row>
Words joined(std::uint64_t rows, Row row) {
  Words words;
  for (std::uint64_t i = 0; i < rows; ++i) {
    const auto [low, high] = row(i);
    words.insert(words.end(), {low, high});
  }
  return words;
}

ScanCase with_cycle(ScanCase scan) {
  constexpr std::array<std::uint32_t, 6> kLow = {0xffffffff, 1, 0, 0xfffffffe, 3, 5};
  constexpr std::array<std::uint32_t, 6> kHigh = {0xffffffff, 0, 1, 3, 0xfffffffe, 0};
  scan.values = joined(scan.rows(), [&](std::uint64_t i) {
    return std::pair(kLow.at(i % kLow.size()), kHigh.at(i % kHigh.size()));
  });
  return scan;
}

/// Six rows whose high words go to these places in the buffers of the high input.
ScanCase reusing(const Rows& high_rows, const std::vector<Chunk>& places) {
  ScanCase scan = split_scan({6}, high_rows, 0);
  scan.output_high.clear();
  for (const Chunk& place : places) {
    const std::uint32_t buffer = scan.input_high.at(place.buffer).buffer;
    scan.output_high.push_back({buffer, place.rows, place.byte_offset});
  }
  return with_cycle(scan);
}

ScanCase with_carries(ScanCase scan, std::uint64_t chunk) {
  scan.values = joined(scan.rows(), [&](std::uint64_t i) {
    const bool is_last = i % 256 == 255 || i % chunk == chunk - 1;
    const bool is_first = i % 256 == 0 || i % chunk == 0;
    return std::pair(is_last ? 0xffffffffu : is_first ? 1u : 0u, 0u);
  });
  return scan;
}

}  // namespace

std::vector<SplitCase> split_cases() {
  const std::pair<Rows, Rows> partitions[] = {
      {{6}, {6}},
      {{6}, {6}},
      {{2, 4}, {2, 4}},
      {{0, 2, 0, 4, 0}, {0, 2, 0, 4, 0}},
      {{2, 0, 4}, {0, 1, 3, 2}},
      {{6}, {1, 0, 5}},
      {{0, 257, 512, 0, 260, 0}, {1, 256, 700, 72}},
  };
  std::vector<SplitCase> cases;
  for (const auto& [low, high] : partitions) {
    const char digit = static_cast<char>('1' + cases.size());
    cases.push_back({std::string("case_C0") + digit, with_cycle(split_scan(low, high))});
  }
  cases.push_back({"case_C15", split_scan({0}, {0})});
  cases.push_back({"case_C15_chunks", split_scan({0, 0}, {0, 0, 0})});
  cases.push_back({"case_C38_same_view", reusing({6}, {{0, 6, kWord}})});
  cases.push_back({"case_C38_same_views", reusing({2, 0, 4}, {{0, 2, kWord}, {2, 4, kWord}})});
  cases.push_back({"case_C38_a_row_later", reusing({6}, {{0, 6, 2 * kWord}})});
  cases.push_back({"case_C38_a_row_earlier", reusing({6}, {{0, 6, 0}})});
  cases.push_back({"case_C38_chunked_otherwise",
                   reusing({2, 4}, {{1, 3, kWord}, {0, 2, kWord}, {1, 1, 4 * kWord}})});
  cases.push_back({"case_C38_same_views_turned", reusing({3, 3}, {{1, 3, kWord}, {0, 3, kWord}})});
  return cases;
}

std::vector<SplitCase> split_carries() {
  std::vector<SplitCase> cases;
  for (const std::uint64_t chunk : {1024u, 1000u, 257u}) {
    const std::string name = "chunks_of_" + std::to_string(chunk);
    const ScanCase scan = split_scan({chunk, 4100 - chunk}, {chunk, chunk, 4100 - 2 * chunk});
    ScanCase every_row = scan;
    every_row.values = joined(4100, [](std::uint64_t) { return std::pair(0xffffffffu, 0u); });
    cases.push_back({"last_rows_in_" + name, with_carries(scan, chunk)});
    cases.push_back({"every_row_in_" + name, every_row});
  }
  return cases;
}

}  // namespace wgprim::testing
