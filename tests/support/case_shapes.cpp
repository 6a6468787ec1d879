// The usual shapes of a ScanCase.
#include <utility>

#include "support/case.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint64_t kWord = 4;

/// One sentinel before the rows and one behind them.
std::uint64_t fenced_bytes(std::uint64_t rows) { return (rows + 2) * kWord; }

/// Room for a row among other words, not at the start of a binding.
PlacedRow add_place(ScanCase& scan, const char* name) {
  const auto index = static_cast<std::uint32_t>(scan.buffers.size());
  scan.buffers.push_back({name, 100 * kWord});
  return {.buffer = index, .byte_offset = 70 * kWord};
}

/// A chunk in a buffer of its own.
void add_chunk(ScanCase& scan, std::vector<Chunk>& chunks, const char* name, std::uint64_t rows) {
  chunks.push_back({static_cast<std::uint32_t>(scan.buffers.size()), rows, kWord});
  scan.buffers.push_back({concat(name, chunks.size() - 1), fenced_bytes(rows)});
}

}  // namespace

ScanCase separate_scan(std::uint64_t rows, ScanMode mode) {
  return {.buffers = {{"input", fenced_bytes(rows)}, {"output", fenced_bytes(rows)}},
          .input = {{0, rows, kWord}},
          .output = {{1, rows, kWord}},
          .mode = mode};
}

ScanCase in_place_scan(std::uint64_t rows, ScanMode mode) {
  return {.buffers = {{"data", fenced_bytes(rows)}},
          .input = {{0, rows, kWord}},
          .output = {{0, rows, kWord}},
          .mode = mode};
}

ScanCase shared_buffer_scan(std::uint64_t rows, std::uint64_t gap_words, ScanMode mode) {
  const std::uint64_t output_offset = (1 + rows + gap_words) * kWord;
  return {.buffers = {{"data", output_offset + (rows + 1) * kWord}},
          .input = {{0, rows, kWord}},
          .output = {{0, rows, output_offset}},
          .mode = mode};
}

ScanCase chunked_scan(const std::vector<std::uint64_t>& input_rows,
                      const std::vector<std::uint64_t>& output_rows, ScanMode mode) {
  ScanCase scan{.mode = mode};
  for (const std::uint64_t rows : input_rows)
    add_chunk(scan, scan.input, "input", rows);
  for (const std::uint64_t rows : output_rows)
    add_chunk(scan, scan.output, "output", rows);
  return scan;
}

ScanCase split_scan(const std::vector<std::uint64_t>& low_rows,
                    const std::vector<std::uint64_t>& high_rows, std::uint64_t spare_rows,
                    ScanMode mode) {
  ScanCase scan{.mode = mode, .format = Format::uint64};
  for (const std::uint64_t rows : low_rows)
    add_chunk(scan, scan.input, "input_low", rows);
  for (const std::uint64_t rows : high_rows)
    add_chunk(scan, scan.input_high, "input_high", rows);
  for (const std::uint64_t rows : low_rows)
    add_chunk(scan, scan.output, "output_low", rows);
  for (const std::uint64_t rows : high_rows)
    add_chunk(scan, scan.output_high, "output_high", rows);
  for (Chunk* last : {&scan.output.back(), &scan.output_high.back()}) {
    last->rows += spare_rows;
    scan.buffers[last->buffer].bytes += spare_rows * kWord;
  }
  return scan;
}

ScanCase scan_of(Words values, ScanMode mode) {
  ScanCase scan = separate_scan(values.size(), mode);
  scan.values = std::move(values);
  return scan;
}

ScanCase aligned_scan(std::uint64_t rows, std::uint64_t more, Format format, Operator op) {
  const std::uint64_t bytes = (rows + more) * row_bytes(format);
  return {.buffers = {{"input", bytes}, {"output", bytes}},
          .input = {{0, rows, 0}},
          .output = {{1, rows, 0}},
          .format = format,
          .op = std::move(op)};
}

ScanCase reversed(ScanCase scan) {
  scan.is_reverse = true;
  return scan;
}

ScanCase starting_from(RowValue init, ScanCase scan) {
  scan.init = init;
  return scan;
}

ScanCase with_limit(ScanCase scan, std::string limit) {
  scan.limits.push_back(std::move(limit));
  return scan;
}

ScanCase with_rows_of(ScanCase scan, Format format, Operator op) {
  scan.format = format;
  scan.op = std::move(op);
  for (ImportedBuffer& buffer : scan.buffers)
    buffer.bytes *= scan.row_words();
  for (auto* chunks : {&scan.input, &scan.output}) {
    for (Chunk& chunk : *chunks)
      chunk.byte_offset *= scan.row_words();
  }
  return scan;
}

ScanCase with_flags(ScanCase scan, Words values) {
  const auto index = static_cast<std::uint32_t>(scan.buffers.size());
  scan.buffers.push_back({"flags", fenced_bytes(scan.rows())});
  scan.flags = {{index, scan.rows(), kWord}};
  scan.flag_values = std::move(values);
  return scan;
}

ScanCase with_chunked_flags(ScanCase scan, const std::vector<std::uint64_t>& rows, Words values) {
  for (const std::uint64_t count : rows)
    add_chunk(scan, scan.flags, "flags", count);
  scan.flag_values = std::move(values);
  return scan;
}

ScanCase with_carry_in(ScanCase scan, const reference::Row& value) {
  scan.carry_in = add_place(scan, "carry_in");
  scan.carry_in->value = value;
  return scan;
}

ScanCase with_carry_out(ScanCase scan) {
  scan.carry_out = add_place(scan, "carry_out");
  return scan;
}

ScanCase with_count(ScanCase scan, std::uint32_t count) {
  const auto index = static_cast<std::uint32_t>(scan.buffers.size());
  scan.buffers.push_back({.id = "count", .bytes = 100 * kWord});
  scan.row_count = {.buffer = index, .byte_offset = 70 * kWord, .value = count};
  return scan;
}

}  // namespace wgprim::testing
