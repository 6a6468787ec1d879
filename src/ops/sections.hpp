// How the rows of an operation are cut into dispatches. A section is the work of one dispatch: rows
// that lie in one binding of one buffer for each operand, if need be in several chunks. Called by
// the lowerings of scan and reduce.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/plan_builder.hpp"
#include "wgprim/limits.hpp"
#include "wgprim/result.hpp"

namespace wgprim {

/// Rows that one workgroup of path `chained` scans.
inline constexpr std::uint64_t kLevelBlock = 256;

/// What an operation does with rows, and the place of each operand in the lists below. Where rows
/// are split the last two hold their high words, `input` and `output` the low ones.
enum class OperandRole : std::size_t { input, output, flags, input_high, output_high };
inline constexpr std::size_t kOperandRoles = 5;

/// Chunks of each operand that hold rows; none where the operation lacks the operand. All have at
/// least the rows of the input. Input and output are equal where the operation is in place; of
/// split rows the high words alone may be.
using Operands = std::array<std::vector<PlanView>, kOperandRoles>;

/// Rows that lie within one chunk of every operand.
struct Run {
  std::uint64_t first_row = 0;  ///< In the section.
  std::array<std::uint64_t, kOperandRoles> byte_offset = {};
};

/// Bytes of a run in a chunk table: its first row, and where it stands in each operand that rows of
/// the kind may have.
constexpr std::uint64_t run_bytes(bool is_split) { return is_split ? 20 : 16; }

/// Bytes [begin, end) of a buffer; none where the operand is absent.
struct OperandRange {
  std::uint32_t buffer = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool is_present() const { return end > begin; }
};

struct Section {
  std::uint64_t first_row = 0;    ///< Index of its first row in this level,
  std::uint64_t first_block = 0;  ///< and of its first block in the level above.
  std::uint64_t rows = 0;
  std::uint64_t block_rows = 0;  ///< What one workgroup works on.
  std::vector<Run> runs;
  std::array<OperandRange, kOperandRoles> ranges;
  bool is_quads = false;  ///< Four rows at a time, from multiples of 16 bytes on.
  PlanView totals;        ///< Items, one a block.
  PlanView table;         ///< The runs on the device, where there are several.

  std::uint64_t block_count() const { return (rows + block_rows - 1) / block_rows; }
  const OperandRange& range(OperandRole role) const {
    return ranges[static_cast<std::size_t>(role)];
  }
  bool is_split() const { return range(OperandRole::input_high).is_present(); }
  /// High words in and out on the same views.
  bool is_high_in_place() const;
  /// Input and output in one buffer.
  bool is_shared() const;
  /// Where they are, and one binding holds both.
  bool is_one_binding(const Limits& limits) const;
  /// Where the operand's binding starts: a multiple of 256.
  std::uint64_t base(OperandRole role, const Limits& limits) const;
};

/// A level of an operation: its rows, the totals of their blocks, the totals of the blocks of
/// these.
struct Level {
  std::size_t number = 0;
  std::vector<Section> sections;
  /// What follows from the first n rows of the operation is in the level's first
  /// ceil(n / rows_per_item) rows. What as many levels of whole blocks take in; less, and then too
  /// many rows for some n, where sections cut blocks short.
  std::uint64_t rows_per_item = 1;

  std::uint64_t block_count() const {
    return sections.back().first_block + sections.back().block_count();
  }
};

/// `rows_per_item` of the level above.
std::uint64_t rows_per_block(const Level& level);

/// Whether no block but the last is cut short, so that exactly as many rows of the level above
/// matter as rows_per_block says.
bool has_whole_blocks(const Level& level);

/// Items of one level are split over as many buffers as the largest buffer demands.
std::uint64_t items_per_buffer(std::uint64_t item_bytes, const Limits& limits);

/// Errors: a device whose buffers hold the total of one block only; with these a level would never
/// be shorter than the one below it. Comes before anything is cut.
Result<void> check_totals_fit(const PlanBuilder& builder, std::uint64_t item_bytes);

/// Makes room for the totals of the level's blocks, as scratch of the current node, and gives each
/// section its part. Returns the totals as an operand of the level above.
std::vector<PlanView> add_totals(PlanBuilder& builder, std::string_view name,
                                 std::uint64_t item_bytes, Level& level);

/// Puts the runs of sections with several into a constant of the current node.
void add_tables(PlanBuilder& builder, const Limits& limits, std::vector<Section>& sections);

/// Part of the rows that totals of segments go to, within one binding.
struct SegmentWindow {
  std::uint64_t first_segment = 0;
  PlanView totals;
};

/// Cuts the chunks into windows, as far as the first `segments` rows reach. A binding holds a
/// window's rows, and one more offset than it has rows. Each window takes a dispatch for each of
/// `sections`. Errors: a limit so low that no row can be bound; too many dispatches.
Result<std::vector<SegmentWindow>> cut_into_windows(const PlanBuilder& builder,
                                                    const std::vector<PlanView>& chunks,
                                                    std::uint64_t segments, std::uint64_t sections);

/// No device needs as many dispatches for a level; limits of a few bytes would ask for billions.
inline constexpr std::size_t kMostSections = std::size_t{1} << 18;

/// How to cut.
struct Cut {
  std::uint64_t block_rows = 0;
  std::uint64_t item_bytes = 4;  ///< Of a block's total.
  bool prefers_quads = false;    ///< Where alignment allows.
};

/// Cuts the rows of the operands, each chunked in its own way, into sections as long as one binding
/// an operand holds and one buffer of totals has room for. Sections have no totals yet.
/// Errors: a limit so low that there would be no section, or too many.
Result<std::vector<Section>> cut_into_sections(const PlanBuilder& builder, const Operands& operands,
                                               const Cut& cut);

}  // namespace wgprim
