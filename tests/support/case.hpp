// A scan to be tried: a value that prints itself together with the command that repeats it.
// The plan ring runs it on the host, the gpu ring on a device; both start from image_before and
// hold what they find against image_after, word by word, so that every word around the rows is a
// canary.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "reference/row.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::testing {

/// Words before the first row of a buffer, and words behind or between rows and in the output.
inline constexpr std::uint32_t kSentinelBefore = 999;
inline constexpr std::uint32_t kSentinelAfter = 77;

using Words = std::vector<std::uint32_t>;

/// value(i) for each i below `count`.
template <class Function>
Words generated(std::uint32_t count, Function value) {
  Words words(count);
  for (std::uint32_t i = 0; i < count; ++i)
    words[i] = value(i);
  return words;
}

/// Packed rows in ScanCase::buffers[buffer].
struct Chunk {
  std::uint32_t buffer = 0;
  std::uint64_t rows = 0;
  std::uint64_t byte_offset = 0;
  bool operator==(const Chunk&) const = default;
};

/// The word in ScanCase::buffers[buffer] that holds a row count.
struct CountWord {
  std::uint32_t buffer = 0;
  std::uint64_t byte_offset = 0;
  std::uint32_t value = 0;
};

/// One row in ScanCase::buffers[buffer], and before the scan its value.
struct PlacedRow {
  std::uint32_t buffer = 0;
  std::uint64_t byte_offset = 0;
  reference::Row value = {};
};

struct ScanCase {
  std::vector<ImportedBuffer> buffers;
  std::vector<Chunk> input;
  std::vector<Chunk> output;
  std::vector<Chunk> flags;  ///< Segment flags, or none.
  /// Of uint64 rows that are split: their high words; `input` and `output` then hold the low ones.
  std::vector<Chunk> input_high;
  std::vector<Chunk> output_high;
  ScanMode mode = ScanMode::exclusive;
  Format format = Format::uint32;
  Operator op;
  bool is_reverse = false;
  std::optional<RowValue> init;
  std::optional<PlacedRow> carry_in;
  std::optional<PlacedRow> carry_out;
  Path path = Path::chained;
  Subgroups subgroups = Subgroups::automatic;
  Words values;                        ///< Words of the input, or none for some drawn from `seed`.
  Words flag_values;                   ///< A flag for each row of `flags`, or none, drawn likewise.
  std::uint32_t seed = 42;             ///< As `wgprim check` takes it.
  std::vector<std::string> limits;     ///< Limits to lower before planning: "maxBufferSize=4096".
  std::optional<CountWord> row_count;  ///< On the device.
  std::optional<std::uint64_t> encoded_rows;  ///< Row count given at each encode.

  bool is_segmented() const { return !flags.empty(); }
  bool is_split() const { return !input_high.empty(); }
  std::uint32_t row_words() const { return static_cast<std::uint32_t>(row_bytes(format) / 4); }
  std::uint64_t rows() const;       ///< Planned for.
  std::uint64_t live_rows() const;  ///< What the row counts leave of them.
};

std::ostream& operator<<(std::ostream& stream, const ScanCase& scan);

/// Input in buffer 'input', output in buffer 'output', each behind one sentinel and before another.
ScanCase separate_scan(std::uint64_t rows, ScanMode mode = ScanMode::exclusive);
/// The same view of buffer 'data' for both.
ScanCase in_place_scan(std::uint64_t rows, ScanMode mode = ScanMode::exclusive);
/// Two ranges of buffer 'data', `gap_words` apart, input first.
ScanCase shared_buffer_scan(std::uint64_t rows, std::uint64_t gap_words,
                            ScanMode mode = ScanMode::exclusive);
/// Each chunk in a buffer of its own behind one sentinel row: input and output of these many rows.
ScanCase chunked_scan(const std::vector<std::uint64_t>& input_rows,
                      const std::vector<std::uint64_t>& output_rows,
                      ScanMode mode = ScanMode::exclusive);

/// A separate scan of these words.
ScanCase scan_of(Words values, ScanMode mode = ScanMode::exclusive);
/// Input and output from the start of their buffers on, where rows are taken four at a time, with
/// room for `more` rows behind.
ScanCase aligned_scan(std::uint64_t rows, std::uint64_t more = 0, Format format = Format::uint32,
                      Operator op = {});

/// The case from the last row to the first.
ScanCase reversed(ScanCase scan);
/// The case that starts from a value, in every segment.
ScanCase starting_from(RowValue init, ScanCase scan);
/// The case planned with a limit lowered.
ScanCase with_limit(ScanCase scan, std::string limit);

/// Sums of split rows, each chunk in a buffer of its own behind one sentinel row: inputs of these
/// many rows, and outputs cut alike, whose last chunks are `spare_rows` longer.
ScanCase split_scan(const std::vector<std::uint64_t>& low_rows,
                    const std::vector<std::uint64_t>& high_rows, std::uint64_t spare_rows = 3,
                    ScanMode mode = ScanMode::inclusive);

/// The case with a row count on the device, in buffer 'count' between other words.
ScanCase with_count(ScanCase scan, std::uint32_t count);

/// The case, made of rows of another format: all that it has of rows of one word grows with them.
/// Comes before the functions below.
ScanCase with_rows_of(ScanCase scan, Format format, Operator op = {});
/// The case with segment flags, in a buffer 'flags' behind one sentinel; without values random.
ScanCase with_flags(ScanCase scan, Words values = {});
/// Flags in chunks of these many rows, each in a buffer of its own.
ScanCase with_chunked_flags(ScanCase scan, const std::vector<std::uint64_t>& rows,
                            Words values = {});
/// The case that goes on from `value`, which stands in the middle of buffer 'carry_in'.
ScanCase with_carry_in(ScanCase scan, const reference::Row& value);
/// The case that leaves what its last segment adds up to in the middle of buffer 'carry_out'.
ScanCase with_carry_out(ScanCase scan);

/// The case's graph, compiled for the profile with the case's limits lowered.
Result<Plan> plan_scan(const ScanCase& scan, DeviceProfile profile = {});

/// The buffers before the scan: sentinels and input rows.
using Image = std::vector<Words>;
Image image_before(const ScanCase& scan);
/// The rows of a part of the image, word by word.
Words rows_in(const Image& image, const std::vector<Chunk>& chunks, std::uint32_t row_words = 1);
/// The buffers after it, by the scalar oracle.
Image image_after(const ScanCase& scan, Image image);

/// A sentence on the first word that differs, if any does.
std::optional<std::string> first_difference(const ScanCase& scan, const Image& expected,
                                            const Image& found);

}  // namespace wgprim::testing
