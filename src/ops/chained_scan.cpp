// Lowering of path `chained`; see the header. 4n words of traffic plus the levels above:
// scan_blocks reads and writes every row, add_block_offsets reads and writes every row again.
#include "ops/chained_scan.hpp"

#include <algorithm>
#include <bit>

#include "graph/dispatch_shape.hpp"
#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// No device needs as many dispatches for a level; limits of a few bytes would ask for billions.
constexpr std::size_t kMostSpans = std::size_t{1} << 18;

/// Indices in WGSL have 32 bits, whatever a device lets one binding hold.
constexpr std::uint64_t kIndexableBytes = std::uint64_t{4} << 32;

/// As many of these rows as leave no block cut short, if they are more than a block.
std::uint64_t whole_blocks(std::uint64_t rows) {
  return rows > kScanBlock ? rows / kScanBlock * kScanBlock : rows;
}

/// Rows of one dispatch: one range of one binding for each operand, and a sum for each block.
struct Span {
  PlanView input;
  PlanView output;
  std::uint64_t first_block = 0;  ///< Index of its first block in the level above.
  PlanView sums;

  std::uint64_t block_count() const { return (output.rows + kScanBlock - 1) / kScanBlock; }
  bool is_shared() const { return input.buffer == output.buffer; }
  const PlanView& lower() const { return input.byte_offset < output.byte_offset ? input : output; }
  const PlanView& upper() const { return input.byte_offset < output.byte_offset ? output : input; }
  std::uint64_t bytes_apart() const { return upper().byte_offset - lower().byte_offset; }
};

/// The range that holds both views of a span in one buffer.
PlanView hull(const Span& span) {
  const PlanView& lower = span.lower();
  return {lower.buffer, lower.byte_offset, span.bytes_apart() / 4 + span.output.rows};
}

/// Walks the chunks of an operand by any number of rows.
class Cursor {
 public:
  explicit Cursor(const std::vector<PlanView>& chunks) : chunks_(chunks) {}

  bool at_end() const { return chunk_ == chunks_.size(); }

  /// What is left of the present chunk.
  PlanView rest() const {
    PlanView view = chunks_[chunk_];
    view.byte_offset += taken_ * 4;
    view.rows -= taken_;
    return view;
  }

  void advance(std::uint64_t rows) {
    taken_ += rows;
    if (taken_ < chunks_[chunk_].rows) return;
    taken_ = 0;
    ++chunk_;
  }

 private:
  const std::vector<PlanView>& chunks_;
  std::size_t chunk_ = 0;
  std::uint64_t taken_ = 0;
};

class ChainedLowering {
 public:
  ChainedLowering(PlanBuilder& builder, bool uses_subgroups)
      : builder_(builder), limits_(builder.profile().limits), uses_subgroups_(uses_subgroups) {}

  Result<void> run(const ChainedScan& scan) {
    if (auto ok = choose_width(); !ok) return ok;
    if (auto ok = check_sums_fit(); !ok) return ok;
    std::vector<std::vector<Span>> levels;
    std::vector<PlanView> input = scan.input;
    std::vector<PlanView> output = scan.output;
    ScanMode mode = scan.mode;
    for (std::uint64_t blocks = 0; blocks != 1; mode = ScanMode::exclusive) {
      auto spans = split(input, output);
      if (!spans) return pass_on(spans);
      blocks = spans->back().first_block + spans->back().block_count();
      input = output = add_sums(blocks, levels.size() + 1, *spans);
      for (const Span& span : *spans) {
        if (auto ok = add_scan_blocks(span, mode); !ok) return ok;
      }
      levels.push_back(std::move(*spans));
    }
    for (levels.pop_back(); !levels.empty(); levels.pop_back()) {
      for (const Span& span : levels.back()) {
        if (auto ok = add_add_block_offsets(span); !ok) return ok;
      }
    }
    return {};
  }

 private:
  /// A workgroup as wide as the device allows up to one row a lane; fewer lanes take more rows.
  Result<void> choose_width() {
    const std::uint64_t widest = std::min(limits_.max_compute_invocations_per_workgroup,
                                          limits_.max_compute_workgroup_size_x);
    if (widest < kernels::kFewestLanes) {
      return fail(ErrorCode::limit_exceeded,
                  concat("Scan '", builder_.node().id, "' takes workgroups of at least ",
                         kernels::kFewestLanes, " invocations, more than the device's ", widest,
                         " (maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX)."));
    }
    workgroup_width_ =
        static_cast<std::uint32_t>(std::bit_floor(std::min(kernels::kMostLanes, widest)));
    const std::uint64_t bytes = 4 * workgroup_width_;
    if (bytes > limits_.max_compute_workgroup_storage_size) {
      return fail(ErrorCode::limit_exceeded,
                  concat("Scan '", builder_.node().id, "' takes ", bytes,
                         " bytes of workgroup memory, more than the device's limit "
                         "maxComputeWorkgroupStorageSize (",
                         limits_.max_compute_workgroup_storage_size, ")."));
    }
    return {};
  }

  /// Sums of one level are split over as many buffers as the largest buffer demands.
  std::uint64_t sums_per_buffer() const { return whole_blocks(limits_.max_buffer_size / 4); }

  /// With one sum a buffer a level would never be shorter than the one below it.
  Result<void> check_sums_fit() const {
    if (sums_per_buffer() > 1) return {};
    return fail(ErrorCode::limit_exceeded,
                concat("Scan '", builder_.node().id, "' cannot hold the sums of two blocks within ",
                       limits_.max_buffer_size, " bytes (maxBufferSize)."));
  }

  Result<std::vector<Span>> split(const std::vector<PlanView>& input,
                                  const std::vector<PlanView>& output) const {
    std::vector<Span> spans;
    Cursor source(input);
    Cursor destination(output);
    std::uint64_t block = 0;
    while (!source.at_end()) {
      Span span{.input = source.rest(), .output = destination.rest(), .first_block = block};
      const std::uint64_t rows = rows_of_span(span);
      if (rows == 0) {
        return fail(ErrorCode::limit_exceeded,
                    concat("Scan '", builder_.node().id, "' cannot bind a single row within ",
                           limits_.max_storage_buffer_binding_size,
                           " bytes (maxStorageBufferBindingSize)."));
      }
      if (spans.size() == kMostSpans) {
        return fail(ErrorCode::limit_exceeded,
                    concat("Scan '", builder_.node().id, "' takes more than ", kMostSpans,
                           " dispatches a level; chunks, bindings (",
                           limits_.max_storage_buffer_binding_size, " bytes) or buffers (",
                           limits_.max_buffer_size, " bytes) are too small."));
      }
      span.input.rows = span.output.rows = rows;
      source.advance(rows);
      destination.advance(rows);
      block += span.block_count();
      spans.push_back(span);
    }
    return spans;
  }

  /// As many rows as one dispatch can take from here: to the end of a chunk, or whole blocks up to
  /// what one binding holds and one buffer of sums has room for.
  std::uint64_t rows_of_span(const Span& span) const {
    const std::uint64_t rows = std::min(span.input.rows, span.output.rows);
    const std::uint64_t sums_left = sums_per_buffer() - span.first_block % sums_per_buffer();
    std::uint64_t fit = std::min(
        {rows, bindable_rows(span.input), bindable_rows(span.output), sums_left * kScanBlock});
    if (span.is_shared()) fit = std::min(fit, shareable_rows(span));
    return fit < rows ? whole_blocks(fit) : fit;
  }

  /// Rows whose input and output, in one buffer, lie within one binding or in two without a common
  /// byte, whichever are more.
  std::uint64_t shareable_rows(const Span& span) const {
    const std::uint64_t begin = span.lower().byte_offset;
    const std::uint64_t upper_binding =
        span.upper().byte_offset / kBindingAlignment * kBindingAlignment;
    const std::uint64_t together = bindable_rows(span.lower());
    const std::uint64_t between = span.bytes_apart() / 4;
    return std::max(together > between ? together - between : 0,
                    upper_binding > begin ? (upper_binding - begin) / 4 : 0);
  }

  std::uint64_t bindable_rows(const PlanView& view) const {
    const std::uint64_t below = view.byte_offset % kBindingAlignment;
    const std::uint64_t bytes = std::min(limits_.max_storage_buffer_binding_size, kIndexableBytes);
    return bytes > below ? (bytes - below) / 4 : 0;
  }

  bool fits_one_binding(const PlanView& view) const { return view.rows <= bindable_rows(view); }

  /// Makes room for the sums of all blocks and gives each span its part. Returns the sums as the
  /// operand of the next level.
  std::vector<PlanView> add_sums(std::uint64_t blocks, std::size_t level,
                                 std::vector<Span>& spans) {
    std::vector<PlanView> sums;
    for (std::uint64_t first = 0; first < blocks; first += sums_per_buffer()) {
      const std::uint64_t rows = std::min(sums_per_buffer(), blocks - first);
      std::string name = concat("sums", level);
      if (blocks > sums_per_buffer()) name += concat(".", sums.size());
      sums.push_back({builder_.add_transient(name, rows * 4), 0, rows});
    }
    for (Span& span : spans) {
      const PlanView& buffer = sums[span.first_block / sums_per_buffer()];
      span.sums = {buffer.buffer, span.first_block % sums_per_buffer() * 4, span.block_count()};
    }
    return sums;
  }

  Result<void> add_scan_blocks(const Span& span, ScanMode mode) {
    const bool is_one_binding = span.is_shared() && fits_one_binding(hull(span));
    const char* source = is_one_binding     ? "source_in_place"
                         : span.is_shared() ? "source_shared_buffer"
                                            : "source_separate";
    const BoundView output = bind_rows(1, is_one_binding ? hull(span) : span.output);
    const BoundView sums = bind_rows(2, span.sums);
    const BoundView input = bind_rows(3, span.input);
    const auto row_in_output = [&](const PlanView& view) {
      return static_cast<std::uint32_t>((view.byte_offset - output.binding.offset) / 4);
    };
    PlanDispatch dispatch;
    dispatch.bindings = {output.binding, sums.binding};
    if (!is_one_binding) dispatch.bindings.push_back(input.binding);
    dispatch.parameters = {
        static_cast<std::uint32_t>(span.output.rows),
        static_cast<std::uint32_t>(span.block_count()),
        is_one_binding ? row_in_output(span.input) : input.first_row,
        row_in_output(span.output),
        sums.first_row,
    };
    dispatch.workload.bytes_read = span.output.rows * 4;
    dispatch.workload.bytes_written = (span.output.rows + span.block_count()) * 4;
    return add_dispatch(
        std::move(dispatch), span, uses_subgroups_ ? "scan_blocks_subgroup" : "scan_blocks",
        {{"source", source}}, {{"IS_INCLUSIVE", mode == ScanMode::inclusive ? 1u : 0u}});
  }

  Result<void> add_add_block_offsets(const Span& span) {
    const BoundView output = bind_rows(1, span.output);
    const BoundView sums = bind_rows(2, span.sums);
    PlanDispatch dispatch;
    dispatch.bindings = {output.binding, sums.binding};
    dispatch.parameters = {
        static_cast<std::uint32_t>(span.output.rows),
        static_cast<std::uint32_t>(span.block_count()),
        output.first_row,
        sums.first_row,
    };
    dispatch.workload.bytes_read = (span.output.rows + span.block_count()) * 4;
    dispatch.workload.bytes_written = span.output.rows * 4;
    return add_dispatch(std::move(dispatch), span, "add_block_offsets", {}, {});
  }

  Result<void> add_dispatch(PlanDispatch dispatch, const Span& span, std::string_view kernel_name,
                            const std::vector<std::pair<std::string_view, std::string_view>>& slots,
                            std::vector<std::pair<std::string_view, std::uint32_t>> constants) {
    constants.emplace_back("WORKGROUP_WIDTH", workgroup_width_);
    constants.emplace_back("ROWS_PER_LANE",
                           static_cast<std::uint32_t>(kScanBlock / workgroup_width_));
    auto kernel = kernels::specialise(kernel_name, slots, constants);
    if (!kernel) return pass_on(kernel);
    const auto shape =
        dispatch_shape(span.output.rows, kScanBlock, limits_.max_compute_workgroups_per_dimension);
    if (!shape) return pass_on(shape);
    dispatch.kernel = builder_.add_kernel(std::move(*kernel));
    dispatch.shape = *shape;
    return builder_.add_dispatch(std::move(dispatch), workgroup_width_);
  }

  PlanBuilder& builder_;
  const Limits& limits_;
  bool uses_subgroups_;
  std::uint32_t workgroup_width_ = 0;
};

}  // namespace

Result<void> lower_chained_scan(PlanBuilder& builder, const ChainedScan& scan) {
  if (scan.input.empty()) return {};
  return ChainedLowering(builder, scan.uses_subgroups).run(scan);
}

}  // namespace wgprim
