// A reduction to be tried, of all rows or by segments: the plan ring runs it on the host, the gpu
// ring on a device. Both start from image_before and hold what they find against image_after, word
// by word, so that every word around the rows is a canary.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "support/case.hpp"
#include "wgprim/graph.hpp"

namespace wgprim::testing {

/// Every chunk lies in a buffer of its own, `lead` words behind its start and before others.
struct ReduceCase {
  std::vector<std::uint64_t> rows;  ///< Of the input's chunks.
  Format format = Format::uint32;
  Operator op = {};
  Path path = Path::automatic;
  std::optional<std::uint32_t> row_count = {};  ///< On the device.
  std::uint64_t lead = 1;
  std::optional<Words> flags = {};              ///< One a row of the input, or
  std::optional<Words> offsets = {};            ///< one more than there are ranges.
  std::vector<std::uint64_t> flag_rows = {};    ///< Of chunks; none: one chunk.
  std::vector<std::uint64_t> output_rows = {};  ///< The same.
  bool has_number = true;                       ///< The number of segments is asked for.
  Subgroups subgroups = Subgroups::automatic;
  std::vector<std::string> limits = {};            ///< To lower: "maxBufferSize=4096".
  std::optional<std::uint64_t> encoded_rows = {};  ///< Row count given at each encode.
  Words values = {};                               ///< Words of the input, or none for random ones.

  std::uint64_t input_rows() const;
  std::uint64_t live_rows() const;  ///< What the row counts leave of them.
  std::uint32_t row_words() const { return static_cast<std::uint32_t>(row_bytes(format) / 4); }
};

std::ostream& operator<<(std::ostream& stream, const ReduceCase& reduce);

/// Segment flags, one row in `every` set.
Words random_flags(std::uint64_t rows, std::uint32_t every);
/// One more than `ranges`, in any order, some beyond the rows.
Words random_offsets(std::uint64_t ranges, std::uint64_t rows, std::uint32_t seed = 3);

/// The case's graph, of a node "scan", compiled for the profile with the case's limits lowered.
Result<Plan> plan_reduction(const ReduceCase& reduce, DeviceProfile profile = {});

/// The imported buffers before and, by the scalar oracle, after the reduction.
Image image_before(const ReduceCase& reduce);
Image image_after(const ReduceCase& reduce, Image image);

}  // namespace wgprim::testing
