// Cuts rows into sections; see ops/sections.hpp. Spans, rows within one chunk of every operand, are
// joined to a section as long as bindings reach; one that no binding holds is cut.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "ops/bindable.hpp"
#include "ops/sections.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::uint64_t kMostRuns = std::uint64_t{1} << 20;  // Of one section.

constexpr std::size_t kInput = static_cast<std::size_t>(OperandRole::input);
constexpr std::size_t kOutput = static_cast<std::size_t>(OperandRole::output);

/// Walks the chunks of an operand by any number of rows.
class Cursor {
 public:
  explicit Cursor(const std::vector<PlanView>& chunks) : chunks_(&chunks) {}

  bool is_present() const { return !chunks_->empty(); }
  bool at_end() const { return chunk_ == chunks_->size(); }

  /// What is left of the present chunk.
  PlanView rest() const {
    PlanView view = (*chunks_)[chunk_];
    view.byte_offset += taken_ * view.row_bytes;
    view.rows -= taken_;
    return view;
  }

  void advance(std::uint64_t rows) {
    taken_ += rows;
    if (taken_ < (*chunks_)[chunk_].rows) return;
    taken_ = 0;
    ++chunk_;
  }

 private:
  const std::vector<PlanView>* chunks_;
  std::size_t chunk_ = 0;
  std::uint64_t taken_ = 0;
};

/// The next rows that lie within one chunk of every operand.
using Span = std::array<PlanView, kOperandRoles>;

class Cutter {
 public:
  Cutter(const PlanBuilder& builder, const Operands& operands, const Cut& cut)
      : builder_(builder), limits_(builder.profile().limits), cut_(cut) {
    for (std::size_t i = 0; i < kOperandRoles; ++i)
      cursors_[i].emplace(operands[i]);
  }

  Result<std::vector<Section>> run() {
    while (!cursors_[kInput]->at_end()) {
      Span span = next_span();
      if (!section_.runs.empty() && extends(span)) {
        take(span, span[kInput].rows);
        continue;
      }
      if (auto ok = close(); !ok) return pass_on(ok);
      const std::uint64_t rows = rows_of_first(span);
      if (rows == 0) return refuse_row();
      const bool is_cut = rows < span[kInput].rows;
      take(span, rows);
      if (!is_cut) continue;
      if (auto ok = close(); !ok) return pass_on(ok);
    }
    if (auto ok = close(); !ok) return pass_on(ok);
    return std::move(sections_);
  }

 private:
  Span next_span() const {
    Span span;
    std::uint64_t rows = cursors_[kInput]->rest().rows;
    for (std::size_t i = 0; i < kOperandRoles; ++i) {
      if (!cursors_[i]->is_present()) continue;
      span[i] = cursors_[i]->rest();
      rows = std::min(rows, span[i].rows);
    }
    for (PlanView& view : span)
      view.rows = rows;
    return span;
  }

  std::uint64_t totals_left() const {
    const std::uint64_t most = items_per_buffer(cut_.item_bytes, limits_);
    return most - section_.first_block % most;
  }

  /// The section's ranges with the span's in them; nothing where a buffer changes.
  std::optional<Section> joined(const Span& span) const {
    Section section = {.first_row = section_.first_row, .ranges = section_.ranges};
    for (std::size_t i = 0; i < kOperandRoles; ++i) {
      if (!cursors_[i]->is_present()) continue;
      OperandRange& range = section.ranges[i];
      const std::uint64_t begin = span[i].byte_offset;
      const std::uint64_t end = begin + span[i].rows * span[i].row_bytes;
      if (!range.is_present()) range = {span[i].buffer, begin, end};
      if (range.buffer != span[i].buffer) return std::nullopt;
      range = {range.buffer, std::min(range.begin, begin), std::max(range.end, end)};
    }
    return section;
  }

  bool is_bindable(const Section& section) const {
    for (const OperandRange& range : section.ranges) {
      if (range.is_present() && !fits(range.begin, range.end, limits_)) return false;
    }
    return !section.is_shared() || section.is_one_binding(limits_) || is_disjoint(section);
  }

  /// Whether the bindings of input and output have no byte in common.
  static bool is_disjoint(const Section& section) {
    const OperandRange& input = section.range(OperandRole::input);
    const OperandRange& output = section.range(OperandRole::output);
    return input.end <= aligned_down(output.begin) || output.end <= aligned_down(input.begin);
  }

  bool is_continued_by(const Span& span) const {
    const Run& run = section_.runs.back();
    for (std::size_t i = 0; i < kOperandRoles; ++i) {
      if (!cursors_[i]->is_present()) continue;
      const std::uint64_t bytes = (section_.rows - run.first_row) * span[i].row_bytes;
      if (run.byte_offset[i] + bytes != span[i].byte_offset) return false;
    }
    return true;
  }

  bool extends(const Span& span) const {
    const auto section = joined(span);
    if (!section || !is_bindable(*section)) return false;
    if (section_.rows + span[kInput].rows > totals_left() * cut_.block_rows) return false;
    const std::uint64_t bytes = std::min(largest_binding(limits_), limits_.max_buffer_size);
    const std::uint64_t most = std::min(kMostRuns, bytes / run_bytes(section->is_split()));
    return section_.runs.size() < most || is_continued_by(span);
  }

  /// As many rows of a span as a section of its own takes: all, or whole blocks up to what one
  /// binding holds and one buffer of totals has room for.
  std::uint64_t rows_of_first(const Span& span) const {
    const std::uint64_t rows = span[kInput].rows;
    std::uint64_t fit = std::min(rows, totals_left() * cut_.block_rows);
    for (std::size_t i = 0; i < kOperandRoles; ++i) {
      if (cursors_[i]->is_present()) fit = std::min(fit, bindable_rows(span[i]));
    }
    const bool is_shared =
        cursors_[kOutput]->is_present() && span[kInput].buffer == span[kOutput].buffer;
    if (is_shared) fit = std::min(fit, shareable_rows(span));
    return fit < rows ? whole_blocks(fit, cut_.block_rows) : fit;
  }

  std::uint64_t bindable_rows(const PlanView& view) const {
    const std::uint64_t below = view.byte_offset % kBindingAlignment;
    const std::uint64_t bytes = largest_binding(limits_);
    return bytes > below ? (bytes - below) / view.row_bytes : 0;
  }

  /// Rows whose input and output, in one buffer, lie within one binding or in two without a common
  /// byte, whichever are more.
  std::uint64_t shareable_rows(const Span& span) const {
    const bool is_input_first = span[kInput].byte_offset < span[kOutput].byte_offset;
    const PlanView& lower = is_input_first ? span[kInput] : span[kOutput];
    const PlanView& upper = is_input_first ? span[kOutput] : span[kInput];
    const std::uint64_t upper_binding = aligned_down(upper.byte_offset);
    const std::uint64_t before =
        lower.byte_offset % kBindingAlignment + upper.byte_offset - lower.byte_offset;
    const std::uint64_t bytes = largest_binding(limits_);
    return std::max(bytes > before ? (bytes - before) / lower.row_bytes : 0,
                    upper_binding > lower.byte_offset
                        ? (upper_binding - lower.byte_offset) / lower.row_bytes
                        : 0);
  }

  void take(Span& span, std::uint64_t rows) {
    for (PlanView& view : span)
      view.rows = rows;
    if (section_.runs.empty() || !is_continued_by(span)) {
      Run run{.first_row = section_.rows};
      for (std::size_t i = 0; i < kOperandRoles; ++i)
        run.byte_offset[i] = span[i].byte_offset;
      section_.runs.push_back(run);
    }
    section_.ranges = joined(span)->ranges;
    section_.rows += rows;
    for (std::size_t i = 0; i < kOperandRoles; ++i) {
      if (!cursors_[i]->is_present()) continue;
      row_bytes_[i] = span[i].row_bytes;
      cursors_[i]->advance(rows);
    }
  }

  /// Moves the section to the list, if it has rows; the rows behind its last whole quad go into one
  /// of their own where a buffer ends with them.
  Result<void> close() {
    if (section_.runs.empty()) return {};
    section_.block_rows = cut_.block_rows;
    if (cut_.prefers_quads && is_aligned()) {
      const std::uint64_t behind = section_.rows % 4;
      section_.is_quads = widen_to_quads();
      if (!section_.is_quads && section_.rows > cut_.block_rows) {
        const Section tail = split_off(behind);
        section_.is_quads = widen_to_quads();
        if (auto ok = push(); !ok) return ok;
        section_ = tail;
      }
    }
    return push();
  }

  bool is_aligned() const {
    return section_.runs.size() == 1 &&
           std::ranges::all_of(section_.ranges,
                               [](const OperandRange& range) { return range.begin % 16 == 0; });
  }

  /// Lets the ranges end with whole quads. False, and as it was, where a buffer or the input's own
  /// ground ends before, or where bindings would touch.
  bool widen_to_quads() {
    Section wide = section_;
    for (std::size_t i = 0; i < kOperandRoles; ++i) {
      OperandRange& range = wide.ranges[i];
      if (!range.is_present()) continue;
      range.end = range.begin + (section_.rows + 3) / 4 * 4 * row_bytes_[i];
      if (range.end > builder_.buffer_bytes(range.buffer)) return false;
    }
    if (!is_bindable(wide) || reads_ahead_into_output(wide)) return false;
    section_ = wide;
    return true;
  }

  /// Whether the last quad of the input holds rows of the output, which another workgroup writes.
  bool reads_ahead_into_output(const Section& wide) const {
    const OperandRange& input = wide.range(OperandRole::input);
    const OperandRange& output = section_.range(OperandRole::output);
    return wide.is_shared() && input.begin < output.begin && input.end > output.begin;
  }

  /// Takes the last rows away into a section that comes next.
  Section split_off(std::uint64_t rows) {
    Section tail = section_;
    section_.rows -= rows;
    tail.first_row += section_.rows;
    tail.first_block += section_.block_count();
    tail.rows = rows;
    for (std::size_t i = 0; i < kOperandRoles; ++i) {
      if (!tail.ranges[i].is_present()) continue;
      const std::uint64_t cut = tail.ranges[i].begin + section_.rows * row_bytes_[i];
      section_.ranges[i].end = tail.ranges[i].begin = tail.runs[0].byte_offset[i] = cut;
    }
    return tail;
  }

  Result<void> push() {
    if (sections_.size() == kMostSections) return refuse_sections();
    const std::uint64_t next_row = section_.first_row + section_.rows;
    const std::uint64_t next_block = section_.first_block + section_.block_count();
    sections_.push_back(std::move(section_));
    section_ = {.first_row = next_row, .first_block = next_block};
    return {};
  }

  std::unexpected<Error> refuse_row() const {
    return fail(
        ErrorCode::limit_exceeded,
        concat("Node '", builder_.node().id, "' cannot bind a single row within ",
               limits_.max_storage_buffer_binding_size, " bytes (maxStorageBufferBindingSize)."));
  }

  std::unexpected<Error> refuse_sections() const {
    return fail(ErrorCode::limit_exceeded,
                concat("Node '", builder_.node().id, "' takes more than ", kMostSections,
                       " dispatches a level; bindings (", limits_.max_storage_buffer_binding_size,
                       " bytes) or buffers (", limits_.max_buffer_size, " bytes) are too small."));
  }

  const PlanBuilder& builder_;
  const Limits& limits_;
  Cut cut_;
  std::array<std::optional<Cursor>, kOperandRoles> cursors_;
  std::array<std::uint64_t, kOperandRoles> row_bytes_ = {};
  Section section_;
  std::vector<Section> sections_;
};

}  // namespace

Result<std::vector<Section>> cut_into_sections(const PlanBuilder& builder, const Operands& operands,
                                               const Cut& cut) {
  return Cutter(builder, operands, cut).run();
}

}  // namespace wgprim
