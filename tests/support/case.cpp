// Building, planning and judging a ScanCase; see the header.
#include "support/case.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "reference/random_rows.hpp"
#include "reference/row_scan.hpp"
#include "reference/split_scan.hpp"
#include "support/kernel_operator.hpp"
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

VectorView view_of(const std::vector<Chunk>& chunks, const std::vector<BufferId>& buffers,
                   Format format) {
  VectorView vector;
  for (const Chunk& chunk : chunks) {
    vector.chunks.push_back({.buffer = buffers[chunk.buffer],
                             .rows = chunk.rows,
                             .byte_offset = chunk.byte_offset,
                             .format = format});
  }
  return vector;
}

std::optional<DataView> view_of(const std::optional<PlacedRow>& row,
                                const std::vector<BufferId>& buffers, Format format) {
  if (!row) return std::nullopt;
  return DataView{
      .buffer = buffers[row->buffer], .rows = 1, .byte_offset = row->byte_offset, .format = format};
}

/// Any words; of f32 that are added up small whole numbers, whose sums no order of additions
/// rounds.
Words values_of(const ScanCase& scan) {
  if (!scan.values.empty()) return scan.values;
  Words words = reference::random_rows(scan.rows() * scan.row_words(), scan.seed);
  if (scan.format == Format::float32 && scan.op.kind == OperatorKind::sum) {
    for (std::uint32_t& word : words)
      word = std::bit_cast<std::uint32_t>(static_cast<float>(word % 33) - 16.0f);
  }
  return words;
}

/// One row in 2, 16, 128 or 1024 is set, to any number but 0.
Words flags_of(const ScanCase& scan) {
  if (!scan.flag_values.empty()) return scan.flag_values;
  Words words = reference::random_rows(rows_of(scan.flags), scan.seed + 1);
  const std::uint32_t every = 2u << (scan.seed % 4 * 3);
  for (std::uint32_t& word : words)
    word = word / 7 % every == 0 ? word | 1u << 31 : 0;
  return words;
}

/// The words go into the chunks one after the other, as far as they reach.
void store_rows(Image& image, const std::vector<Chunk>& chunks, std::uint32_t row_words,
                std::span<const std::uint32_t> words) {
  for (const Chunk& chunk : chunks) {
    const auto count = std::min<std::size_t>(words.size(), chunk.rows * row_words);
    const auto to =
        image[chunk.buffer].begin() + static_cast<std::ptrdiff_t>(chunk.byte_offset / kWord);
    std::ranges::copy(words.first(count), to);
    words = words.subspan(count);
  }
}

void store_row(Image& image, const PlacedRow& row, std::uint32_t row_words,
               const reference::Row& value) {
  for (std::uint32_t k = 0; k < row_words; ++k)
    image[row.buffer][row.byte_offset / kWord + k] = value.at(k);
}

/// Word `k` of each row of two.
Words word_of_each(const Words& rows, std::size_t k) {
  Words words;
  for (std::size_t at = k; at < rows.size(); at += 2)
    words.push_back(rows[at]);
  return words;
}

void store_input(const ScanCase& scan, Image& image) {
  const Words values = values_of(scan);
  if (!scan.is_split()) return store_rows(image, scan.input, scan.row_words(), values);
  store_rows(image, scan.input, 1, word_of_each(values, 0));
  store_rows(image, scan.input_high, 1, word_of_each(values, 1));
}

Image after_split_scan(const ScanCase& scan, Image image) {
  Words low = rows_in(image, scan.input);
  Words high = rows_in(image, scan.input_high);
  low.resize(scan.live_rows());
  high.resize(scan.live_rows());
  const auto sums = reference::split_scan(low, high, scan.mode);
  if (!sums) throw std::logic_error(sums.error().message);
  store_rows(image, scan.output, 1, sums->low);
  store_rows(image, scan.output_high, 1, sums->high);
  return image;
}

std::optional<DataView> count_of(const ScanCase& scan, const std::vector<BufferId>& buffers) {
  if (!scan.row_count) return std::nullopt;
  return DataView{.buffer = buffers[scan.row_count->buffer],
                  .rows = 1,
                  .byte_offset = scan.row_count->byte_offset};
}

Result<void> add_split(Graph& graph, const ScanCase& scan, const std::vector<BufferId>& buffers) {
  return graph.add(ScanU64{.id = "scan",
                           .input_low = view_of(scan.input, buffers, Format::uint32),
                           .input_high = view_of(scan.input_high, buffers, Format::uint32),
                           .output_low = view_of(scan.output, buffers, Format::uint32),
                           .output_high = view_of(scan.output_high, buffers, Format::uint32),
                           .mode = scan.mode,
                           .row_count = count_of(scan, buffers),
                           .path = scan.path,
                           .subgroups = scan.subgroups});
}

Result<void> add_whole(Graph& graph, const ScanCase& scan, const std::vector<BufferId>& buffers) {
  Scan description{.id = "scan",
                   .input = view_of(scan.input, buffers, scan.format),
                   .output = view_of(scan.output, buffers, scan.format),
                   .mode = scan.mode,
                   .op = scan.op,
                   .is_reverse = scan.is_reverse,
                   .init = scan.init,
                   .carry_in = view_of(scan.carry_in, buffers, scan.format),
                   .carry_out = view_of(scan.carry_out, buffers, scan.format),
                   .row_count = count_of(scan, buffers),
                   .path = scan.path,
                   .subgroups = scan.subgroups};
  if (scan.is_segmented()) description.segment_flags = view_of(scan.flags, buffers, Format::uint32);
  return graph.add(std::move(description));
}

reference::RowScanDescription description_of(const ScanCase& scan, const Words& flags,
                                             const Image& image) {
  reference::RowScanDescription how{
      .mode = scan.mode, .segment_flags = flags, .is_reverse = scan.is_reverse};
  if (scan.init) how.init = scan.init->words;
  if (const auto& row = scan.carry_in) {
    how.carry_in.emplace();
    for (std::uint32_t k = 0; k < scan.row_words(); ++k)
      how.carry_in->at(k) = image[row->buffer][row->byte_offset / kWord + k];
  }
  return how;
}

}  // namespace

std::uint64_t ScanCase::rows() const { return rows_of(input); }

std::uint64_t ScanCase::live_rows() const {
  const std::uint64_t counted =
      row_count ? std::min<std::uint64_t>(row_count->value, rows()) : rows();
  return std::min(counted, encoded_rows.value_or(counted));
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
  const auto add = scan.is_split() ? add_split : add_whole;
  if (const auto added = add(graph, scan, buffers); !added) return pass_on(added);
  return graph.compile(profile);
}

Image image_before(const ScanCase& scan) {
  Image image;
  for (const ImportedBuffer& buffer : scan.buffers) {
    image.emplace_back(buffer.bytes / kWord, kSentinelAfter);
  }
  std::vector<std::uint64_t> first_byte(image.size(), UINT64_MAX);
  for (const auto* chunks :
       {&scan.input, &scan.output, &scan.flags, &scan.input_high, &scan.output_high}) {
    for (const Chunk& chunk : *chunks) {
      first_byte[chunk.buffer] = std::min(first_byte[chunk.buffer], chunk.byte_offset);
    }
  }
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::uint64_t words = std::min<std::uint64_t>(first_byte[i] / kWord, image[i].size());
    std::fill_n(image[i].begin(), words, kSentinelBefore);
  }
  store_input(scan, image);
  store_rows(image, scan.flags, 1, flags_of(scan));
  if (scan.carry_in) store_row(image, *scan.carry_in, scan.row_words(), scan.carry_in->value);
  if (const auto& count = scan.row_count) {
    image[count->buffer][count->byte_offset / kWord] = count->value;
  }
  return image;
}

Words rows_in(const Image& image, const std::vector<Chunk>& chunks, std::uint32_t row_words) {
  Words words;
  for (const Chunk& chunk : chunks) {
    const auto rows =
        std::span(image[chunk.buffer]).subspan(chunk.byte_offset / kWord, chunk.rows * row_words);
    words.insert(words.end(), rows.begin(), rows.end());
  }
  return words;
}

Image image_after(const ScanCase& scan, Image image) {
  if (scan.is_split()) return after_split_scan(scan, std::move(image));
  Words values = rows_in(image, scan.input, scan.row_words());
  values.resize(scan.live_rows() * scan.row_words());
  Words flags = rows_in(image, scan.flags);
  if (scan.is_segmented()) flags.resize(scan.live_rows());
  const auto result = reference::scan_rows(values, oracle_of(scan.op, scan.format),
                                           description_of(scan, flags, image));
  if (!result) throw std::logic_error(result.error().message);
  store_rows(image, scan.output, scan.row_words(), result->output);
  if (scan.carry_out) store_row(image, *scan.carry_out, scan.row_words(), result->carry_out);
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
