// A ScanCase in words, and the command that repeats it.
#include <algorithm>

#include "support/case.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

/// Whether `wgprim check scan` has words for the case.
bool is_plain(const ScanCase& scan) {
  return scan.input.size() == 1 && scan.output.size() == 1 && scan.values.empty() &&
         scan.format == Format::uint32 && scan.op == Operator{} && !scan.is_segmented() &&
         !scan.is_reverse && !scan.init && !scan.carry_in && !scan.carry_out && !scan.row_count &&
         !scan.encoded_rows;
}

/// The command that repeats the case, where the command line can say it at all.
std::string reproduction(const ScanCase& scan) {
  if (!is_plain(scan)) return "";
  std::string line = concat("\n  wgprim check scan --n ", scan.rows(), " --mode ",
                            to_string(scan.mode), " --seed ", scan.seed, " --cases 1 --path ",
                            to_string(scan.path), " --subgroups ", to_string(scan.subgroups));
  if (scan.input == scan.output) line += " --in-place";
  for (const std::string& limit : scan.limits)
    line += concat(" --limit ", limit);
  return line;
}

std::string chunks_text(const ScanCase& scan, const std::vector<Chunk>& chunks) {
  std::string text;
  for (const Chunk& chunk : chunks) {
    text += concat(text.empty() ? "" : " + ", chunk.rows, " at ", scan.buffers[chunk.buffer].id,
                   "[", chunk.byte_offset, "]");
  }
  return text.empty() ? "nothing" : text;
}

std::string row_text(const ScanCase& scan, const PlacedRow& row) {
  std::string text = concat(scan.buffers[row.buffer].id, "[", row.byte_offset, "] (");
  for (std::uint32_t k = 0; k < scan.row_words(); ++k)
    text += concat(k > 0 ? " " : "", row.value.at(k));
  return text + ")";
}

std::string starts_text(const ScanCase& scan) {
  std::string text;
  if (scan.init) {
    text += concat(", from the ", to_string(scan.init->format));
    for (std::uint32_t k = 0; k < scan.row_words(); ++k)
      text += concat(" ", scan.init->words.at(k));
  }
  if (scan.carry_in) text += concat(", from ", row_text(scan, *scan.carry_in));
  if (scan.carry_out) text += concat(", its total to ", row_text(scan, *scan.carry_out));
  return text;
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

std::ostream& operator<<(std::ostream& stream, const ScanCase& scan) {
  stream << (scan.is_reverse ? "reverse " : "") << to_string(scan.mode) << " "
         << to_string(scan.op.kind) << " scan of " << to_string(scan.format) << " rows, "
         << chunks_text(scan, scan.input) << " into " << chunks_text(scan, scan.output);
  if (scan.is_split()) {
    stream << ", high words " << chunks_text(scan, scan.input_high) << " into "
           << chunks_text(scan, scan.output_high);
  }
  if (scan.is_segmented()) stream << ", flags " << chunks_text(scan, scan.flags);
  return stream << starts_text(scan) << ", path " << to_string(scan.path) << ", subgroups "
                << to_string(scan.subgroups) << ", seed " << scan.seed << counts_text(scan)
                << reproduction(scan);
}

}  // namespace wgprim::testing
