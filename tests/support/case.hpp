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

#include "wgprim/graph.hpp"

namespace wgprim::testing {

/// Words before the first row of a buffer, and words behind or between rows and in the output.
inline constexpr std::uint32_t kSentinelBefore = 999;
inline constexpr std::uint32_t kSentinelAfter = 77;

using Words = std::vector<std::uint32_t>;

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

struct ScanCase {
  std::vector<ImportedBuffer> buffers;
  std::vector<Chunk> input;
  std::vector<Chunk> output;
  ScanMode mode = ScanMode::exclusive;
  Subgroups subgroups = Subgroups::automatic;
  Words values;                        ///< The input rows, or none for rows drawn from `seed`.
  std::uint32_t seed = 42;             ///< As `wgprim check` takes it.
  std::vector<std::string> limits;     ///< Limits to lower before planning: "maxBufferSize=4096".
  std::optional<CountWord> row_count;  ///< On the device.
  std::optional<std::uint64_t> encoded_rows;  ///< Row count given at each encode.

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

/// The case with a row count on the device, in buffer 'count' between other words.
ScanCase with_count(ScanCase scan, std::uint32_t count);

/// The case's graph, compiled for the profile with the case's limits lowered.
Result<Plan> plan_scan(const ScanCase& scan, DeviceProfile profile = {});

/// The buffers before the scan: sentinels and input rows.
using Image = std::vector<Words>;
Image image_before(const ScanCase& scan);
/// The buffers after it, by the scalar oracle.
Image image_after(const ScanCase& scan, Image image);

/// A sentence on the first word that differs, if any does.
std::optional<std::string> first_difference(const ScanCase& scan, const Image& expected,
                                            const Image& found);

}  // namespace wgprim::testing
