// Building, planning and judging a ScanCase; see the header.
#include "support/case.hpp"

#include <algorithm>

#include "reference/random_rows.hpp"
#include "reference/scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

constexpr std::uint64_t kWord = 4;

std::uint64_t rows_of(const std::vector<Chunk>& chunks) {
  std::uint64_t rows = 0;
  for (const Chunk& chunk : chunks)
    rows += chunk.rows;
  return rows;
}

VectorView view_of(const std::vector<Chunk>& chunks, const std::vector<BufferId>& buffers) {
  VectorView vector;
  for (const Chunk& chunk : chunks) {
    vector.chunks.push_back(
        {.buffer = buffers[chunk.buffer], .rows = chunk.rows, .byte_offset = chunk.byte_offset});
  }
  return vector;
}

std::span<std::uint32_t> rows_in(Image& image, const Chunk& chunk) {
  return std::span(image[chunk.buffer]).subspan(chunk.byte_offset / kWord, chunk.rows);
}

Words values_of(const ScanCase& scan) {
  return scan.values.empty() ? reference::random_rows(scan.rows(), scan.seed) : scan.values;
}

/// The command that repeats the case, where the command line can say it at all.
std::string reproduction(const ScanCase& scan) {
  const bool has_counts = scan.row_count || scan.encoded_rows;
  if (scan.input.size() != 1 || scan.output.size() != 1 || !scan.values.empty() || has_counts)
    return "";
  std::string line = concat("\n  wgprim check scan --n ", scan.rows(), " --mode ",
                            to_string(scan.mode), " --seed ", scan.seed,
                            " --cases 1 --path chained --subgroups ", to_string(scan.subgroups));
  if (scan.input == scan.output) line += " --in-place";
  for (const std::string& limit : scan.limits)
    line += concat(" --limit ", limit);
  return line;
}

/// One sentinel before the rows and one behind them.
std::uint64_t fenced_bytes(std::uint64_t rows) { return (rows + 2) * kWord; }

std::string chunks_text(const ScanCase& scan, const std::vector<Chunk>& chunks) {
  std::string text;
  for (const Chunk& chunk : chunks) {
    text += concat(text.empty() ? "" : " + ", chunk.rows, " at ", scan.buffers[chunk.buffer].id,
                   "[", chunk.byte_offset, "]");
  }
  return text.empty() ? "nothing" : text;
}

std::string counts_text(const ScanCase& scan) {
  std::string text;
  if (scan.row_count) {
    const CountWord& count = *scan.row_count;
    text += concat(", row count ", count.value, " at ", scan.buffers[count.buffer].id, "[",
                   count.byte_offset, "]");
  }
  if (scan.encoded_rows) text += concat(", encoded for ", *scan.encoded_rows, " rows");
  return text;
}

}  // namespace

std::uint64_t ScanCase::rows() const { return rows_of(input); }

std::uint64_t ScanCase::live_rows() const {
  const std::uint64_t counted =
      row_count ? std::min<std::uint64_t>(row_count->value, rows()) : rows();
  return std::min(counted, encoded_rows.value_or(counted));
}

std::ostream& operator<<(std::ostream& stream, const ScanCase& scan) {
  return stream << to_string(scan.mode) << " scan of " << chunks_text(scan, scan.input) << " into "
                << chunks_text(scan, scan.output) << ", subgroups " << to_string(scan.subgroups)
                << ", seed " << scan.seed << counts_text(scan) << reproduction(scan);
}

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
  const auto add = [&](std::vector<Chunk>& chunks, const char* name, std::uint64_t rows) {
    chunks.push_back({static_cast<std::uint32_t>(scan.buffers.size()), rows, kWord});
    scan.buffers.push_back({concat(name, chunks.size() - 1), fenced_bytes(rows)});
  };
  for (const std::uint64_t rows : input_rows)
    add(scan.input, "input", rows);
  for (const std::uint64_t rows : output_rows)
    add(scan.output, "output", rows);
  return scan;
}

ScanCase with_count(ScanCase scan, std::uint32_t count) {
  const auto index = static_cast<std::uint32_t>(scan.buffers.size());
  scan.buffers.push_back({.id = "count", .bytes = 100 * kWord});
  scan.row_count = {.buffer = index, .byte_offset = 70 * kWord, .value = count};
  return scan;
}

Result<Plan> plan_scan(const ScanCase& scan, DeviceProfile profile) {
  for (const std::string& limit : scan.limits) {
    if (auto ok = lower_limit(profile.limits, limit); !ok) return pass_on(ok);
  }
  Graph graph;
  std::vector<BufferId> buffers;
  for (const ImportedBuffer& buffer : scan.buffers) {
    const auto id = graph.import_buffer(buffer);
    if (!id) return pass_on(id);
    buffers.push_back(*id);
  }
  Scan description{.id = "scan",
                   .input = view_of(scan.input, buffers),
                   .output = view_of(scan.output, buffers),
                   .mode = scan.mode,
                   .path = Path::chained,
                   .subgroups = scan.subgroups};
  if (scan.row_count) {
    description.row_count = DataView{.buffer = buffers[scan.row_count->buffer],
                                     .rows = 1,
                                     .byte_offset = scan.row_count->byte_offset};
  }
  const auto added = graph.add(std::move(description));
  if (!added) return pass_on(added);
  return graph.compile(profile);
}

Image image_before(const ScanCase& scan) {
  Image image;
  for (const ImportedBuffer& buffer : scan.buffers) {
    image.emplace_back(buffer.bytes / kWord, kSentinelAfter);
  }
  std::vector<std::uint64_t> first_byte(image.size(), UINT64_MAX);
  for (const auto* chunks : {&scan.input, &scan.output}) {
    for (const Chunk& chunk : *chunks) {
      first_byte[chunk.buffer] = std::min(first_byte[chunk.buffer], chunk.byte_offset);
    }
  }
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::uint64_t words = std::min<std::uint64_t>(first_byte[i] / kWord, image[i].size());
    std::fill_n(image[i].begin(), words, kSentinelBefore);
  }
  const Words values = values_of(scan);
  auto value = values.begin();
  for (const Chunk& chunk : scan.input) {
    for (std::uint32_t& row : rows_in(image, chunk))
      row = *value++;
  }
  if (const auto& count = scan.row_count) {
    image[count->buffer][count->byte_offset / kWord] = count->value;
  }
  return image;
}

Image image_after(const ScanCase& scan, Image image) {
  Words values;
  for (const Chunk& chunk : scan.input) {
    const auto rows = rows_in(image, chunk);
    values.insert(values.end(), rows.begin(), rows.end());
  }
  values.resize(scan.live_rows());
  const Words sums = scan.mode == ScanMode::inclusive ? reference::inclusive_scan(values)
                                                      : reference::exclusive_scan(values);
  auto sum = sums.begin();
  for (const Chunk& chunk : scan.output) {
    for (std::uint32_t& row : rows_in(image, chunk)) {
      if (sum == sums.end()) return image;
      row = *sum++;
    }
  }
  return image;
}

std::optional<std::string> first_difference(const ScanCase& scan, const Image& expected,
                                            const Image& found) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].size() != found[i].size()) {
      return concat("Buffer '", scan.buffers[i].id, "' has ", found[i].size(), " words, not ",
                    expected[i].size(), ".");
    }
    const auto [right, wrong] = std::ranges::mismatch(expected[i], found[i]);
    if (right == expected[i].end()) continue;
    return concat("Word ", right - expected[i].begin(), " of buffer '", scan.buffers[i].id, "' is ",
                  *wrong, " (expected ", *right, ").");
  }
  return std::nullopt;
}

}  // namespace wgprim::testing
