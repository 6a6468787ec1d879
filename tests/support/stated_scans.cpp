// The case table's scans; see the header.
#include "support/stated_scans.hpp"

#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr ScanMode kExclusive = ScanMode::exclusive;
constexpr ScanMode kInclusive = ScanMode::inclusive;

/// All rows of the result.
StatedScan stated(ScanCase scan, const Words& rows, std::optional<std::uint32_t> carry_out = {}) {
  StatedScan result{.scan = std::move(scan), .rows = {}, .carry_out = carry_out};
  for (const std::uint32_t row : rows)
    result.rows.emplace_back(result.rows.size(), row);
  return result;
}

ScanCase chunks_of(const Numbers& input, const Numbers& output, Words values) {
  ScanCase scan = chunked_scan(input, output);
  scan.values = std::move(values);
  return scan;
}

Words values_of_a10() {
  return generated(65537, [](std::uint32_t i) { return i == 0 ? 0xffffffff : i % 7 + 1; });
}

/// Of six rows: the input's and the peer's chunks.
const std::vector<std::pair<Numbers, Numbers>>& partitions() {
  static const std::vector<std::pair<Numbers, Numbers>> kPartitions = {
      {{6}, {6}},
      {{2, 4}, {2, 4}},
      {{0, 2, 0, 4, 0}, {0, 2, 0, 4, 0}},
      {{2, 0, 4}, {0, 1, 3, 2}},
      {{6}, {1, 0, 5}},
      {{3, 3}, {3, 3}},
      {{3, 3}, {1, 0, 5}}};
  return kPartitions;
}

ScanCase scan_of_k01(ScanMode mode, Words flags = {}) {
  ScanCase scan = with_carry_out(with_carry_in(scan_of({1, 2, 3}, mode), {10}));
  return flags.empty() ? scan : with_flags(scan, std::move(flags));
}

}  // namespace

std::optional<std::string> first_untruth(const StatedScan& stated, const Image& after) {
  const Words found = rows_in(after, stated.scan.output, stated.scan.row_words());
  for (const auto& [row, value] : stated.rows) {
    if (found.at(row) != value)
      return concat("Row ", row, " is ", found.at(row), " (expected ", value, ").");
  }
  if (!stated.carry_out) return std::nullopt;
  const PlacedRow& place = *stated.scan.carry_out;
  const std::uint32_t carry = after[place.buffer][place.byte_offset / 4];
  if (carry == *stated.carry_out) return std::nullopt;
  return concat("carry_out is ", carry, " (expected ", *stated.carry_out, ").");
}

StatedScans scans_of_a02_to_a06() {
  const auto row_numbers = [](std::uint32_t i) { return i; };
  return {stated(scan_of({7}), {0}), stated(scan_of({0, 1}), {0, 0}),
          stated(scan_of(Words(63, 0)), Words(63, 0)),
          stated(scan_of(Words(64, 1)), generated(64, row_numbers)),
          stated(scan_of(generated(65, row_numbers)),
                 generated(65, [](std::uint32_t i) { return i * (i - 1) / 2; }))};
}

StatedScans scans_of_a10() {
  return {{.scan = scan_of(values_of_a10(), kInclusive),
           .rows = {{0, 0xffffffff},
                    {1, 1},
                    {2, 4},
                    {255, 1016},
                    {256, 1021},
                    {65535, 262137},
                    {65536, 262140}}}};
}

StatedScans scans_of_a11() {
  Words flags(65537);
  for (const std::uint32_t row : {0u, 17u, 255u, 256u, 257u, 1025u, 65535u, 65536u})
    flags[row] = row % 2 == 0 ? 7 : 1;
  return {{.scan = with_flags(scan_of(values_of_a10()), flags),
           .rows = {{1, 0xffffffff},
                    {16, 57},
                    {17, 0},
                    {18, 4},
                    {254, 949},
                    {255, 0},
                    {256, 0},
                    {257, 0},
                    {258, 6},
                    {1024, 3068},
                    {1025, 0},
                    {65534, 258042},
                    {65535, 0},
                    {65536, 0}}}};
}

StatedScans scans_of_a14() {
  Words flags(1025);
  flags[0] = flags[700] = 1;
  const Words values = generated(1025, [](std::uint32_t i) { return i % 11 + 1; });
  return {
      {.scan = with_limit(with_flags(scan_of(values), flags), "maxComputeWorkgroupsPerDimension=2"),
       .rows = {{255, 1521},
                {256, 1524},
                {511, 3051},
                {512, 3057},
                {699, 4179},
                {700, 0},
                {701, 8},
                {1023, 1952},
                {1024, 1953}}}};
}

StatedScans scans_of_a16() {
  Words values(302, 1);
  values[300] = 7;
  values[301] = 8;
  return {{.scan = chunks_of({300, 0, 2}, {300, 0, 2}, std::move(values)),
           .rows = {{299, 299}, {300, 300}, {301, 307}}}};
}

StatedScans scans_of_a17() {
  const Numbers chunks = {2, 0, 3, 1};
  return {stated(with_chunked_flags(chunks_of(chunks, chunks, {2, 3, 5, 7, 11, 13}), chunks,
                                    {1, 0, 0, 1, 0, 0}),
                 {0, 2, 5, 0, 7, 18})};
}

StatedScans scans_of_a20() {
  StatedScans scans;
  for (const auto& [input, output] : partitions()) {
    scans.push_back(stated(chunks_of(input, output, {1, 2, 3, 4, 5, 6}), {0, 1, 3, 6, 10, 15}));
    scans.push_back(stated(chunks_of(output, input, {1, 2, 3, 4, 5, 6}), {0, 1, 3, 6, 10, 15}));
  }
  return scans;
}

StatedScans scans_of_a22() {
  StatedScans scans;
  for (const auto& [input, peer] : partitions()) {
    scans.push_back(stated(
        with_chunked_flags(chunks_of(input, peer, {1, 2, 3, 4, 5, 6}), peer, {0, 0, 0, 1, 0, 1}),
        {0, 1, 3, 0, 4, 0}));
  }
  return scans;
}

StatedScans scans_of_j03() {
  return {stated(scan_of(Words(257, 0xffffffff), kInclusive),
                 generated(257, [](std::uint32_t i) { return 0u - (i + 1); }))};
}

StatedScans scans_of_k01() {
  return {stated(scan_of_k01(kExclusive), {10, 11, 13}, 16),
          stated(scan_of_k01(kInclusive), {11, 13, 16}, 16),
          stated(scan_of_k01(kExclusive, {0, 1, 0}), {10, 0, 2}, 5),
          stated(scan_of_k01(kExclusive, {1, 0, 0}), {0, 1, 3}, 6)};
}

StatedScans scans_of_k02() {
  const ScanCase exclusive = starting_from(5u, scan_of({1, 2, 3}));
  return {stated(exclusive, {5, 6, 8}),
          stated(starting_from(5u, scan_of({1, 2, 3}, kInclusive)), {6, 8, 11}),
          stated(with_flags(exclusive, {0, 1, 0}), {5, 5, 7})};
}

StatedScans scans_of_k03() {
  const ScanCase inclusive = reversed(scan_of({1, 2, 3}, kInclusive));
  return {stated(inclusive, {6, 5, 3}), stated(reversed(scan_of({1, 2, 3})), {5, 3, 0}),
          stated(with_flags(inclusive, {0, 1, 0}), {1, 5, 3})};
}

StatedScans scans_of_sc_7() {
  const Words flags = {1, 0, 1, 0};
  StatedScans scans;
  const auto add = [&](const Words& values, ScanMode mode, const Words& whole,
                       const Words& segmented) {
    scans.push_back(stated(scan_of(values, mode), whole));
    scans.push_back(stated(with_flags(scan_of(values, mode), flags), segmented));
  };
  add({3, 1, 4, 2}, kExclusive, {0, 3, 4, 8}, {0, 3, 0, 4});
  add({3, 1, 4, 2}, kInclusive, {3, 4, 8, 10}, {3, 4, 4, 6});
  add({1, 0, 1, 1}, kExclusive, {0, 1, 1, 2}, {0, 1, 0, 1});
  add({1, 0, 1, 1}, kInclusive, {1, 1, 2, 3}, {1, 1, 1, 2});
  return scans;
}

}  // namespace wgprim::testing
