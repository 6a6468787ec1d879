// Lowering of path `chained`; see the header. 4n words of traffic plus the levels above:
// scan_blocks reads and writes every row, add_block_offsets reads and writes every row again.
//
// Fewer rows than planned for: a scan looks back only, so sums behind the last live block reach
// nothing. A count per encode shrinks every level (PlanExtent). A count on the device is read where
// the rows themselves are; blocks beyond it publish the identity, and the levels above run whole.
#include "ops/chained_scan.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "graph/dispatch_shape.hpp"
#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "ops/scan_spans.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

using TextSlots = std::vector<std::pair<std::string_view, std::string_view>>;
using Constants = std::vector<std::pair<std::string_view, std::uint32_t>>;

class ChainedLowering {
 public:
  ChainedLowering(PlanBuilder& builder, const ChainedScan& scan)
      : builder_(builder), limits_(builder.profile().limits), scan_(scan) {}

  Result<void> run() {
    if (auto ok = choose_width(); !ok) return ok;
    if (auto ok = check_sums_fit(); !ok) return ok;
    std::vector<Level> levels;
    std::vector<PlanView> input = scan_.input;
    std::vector<PlanView> output = scan_.output;
    do {
      auto spans = cut_into_spans(builder_.node().id, input, output, limits_);
      if (!spans) return pass_on(spans);
      levels.push_back({.number = levels.size(),
                        .spans = std::move(*spans),
                        .rows_per_item = levels.empty() ? 1 : rows_per_block(levels.back())});
      input = output = add_sums(levels.back());
      for (const Span& span : levels.back().spans) {
        if (auto ok = add_scan_blocks(levels.back(), span); !ok) return ok;
      }
    } while (levels.back().block_count() > 1);
    for (levels.pop_back(); !levels.empty(); levels.pop_back()) {
      for (const Span& span : levels.back().spans) {
        if (auto ok = add_add_block_offsets(levels.back(), span); !ok) return ok;
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

  /// With one sum a buffer a level would never be shorter than the one below it.
  Result<void> check_sums_fit() const {
    if (sums_per_buffer(limits_) > 1) return {};
    return fail(ErrorCode::limit_exceeded,
                concat("Scan '", builder_.node().id, "' cannot hold the sums of two blocks within ",
                       limits_.max_buffer_size, " bytes (maxBufferSize)."));
  }

  /// Makes room for the sums of all blocks and gives each span its part. Returns the sums as the
  /// operand of the next level.
  std::vector<PlanView> add_sums(Level& level) {
    const std::uint64_t blocks = level.block_count();
    const std::uint64_t most = sums_per_buffer(limits_);
    std::vector<PlanView> sums;
    for (std::uint64_t first = 0; first < blocks; first += most) {
      const std::uint64_t rows = std::min(most, blocks - first);
      std::string name = concat("sums", level.number + 1);
      if (blocks > most) name += concat(".", sums.size());
      sums.push_back({builder_.add_transient(name, rows * 4), 0, rows});
    }
    for (Span& span : level.spans) {
      const PlanView& buffer = sums[span.first_block / most];
      span.sums = {buffer.buffer, span.first_block % most * 4, span.block_count()};
    }
    return sums;
  }

  Result<void> add_scan_blocks(const Level& level, const Span& span) {
    const bool is_one_binding = span.is_shared() && fits_one_binding(span.hull(), limits_);
    const char* source = is_one_binding     ? "source_in_place"
                         : span.is_shared() ? "source_shared_buffer"
                                            : "source_separate";
    const BoundView output = bind_rows(1, is_one_binding ? span.hull() : span.output);
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
    const bool is_inclusive = level.number == 0 && scan_.mode == ScanMode::inclusive;
    return add_dispatch(std::move(dispatch), level, span,
                        scan_.uses_subgroups ? "scan_blocks_subgroup" : "scan_blocks",
                        {{"source", source}}, {{"IS_INCLUSIVE", is_inclusive ? 1u : 0u}});
  }

  Result<void> add_add_block_offsets(const Level& level, const Span& span) {
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
    return add_dispatch(std::move(dispatch), level, span, "add_block_offsets", {}, {});
  }

  /// Gives a dispatch over the rows the slots, the binding and the parameters of a row count on the
  /// device.
  void heed_row_count(PlanDispatch& dispatch, TextSlots& slots, const Span& span) const {
    const BoundView count = bind_rows(4, *scan_.row_count);
    slots.emplace_back("row_count", "row_count_on_device");
    slots.emplace_back("more_parameters", "parameters_row_count");
    dispatch.bindings.push_back(count.binding);
    dispatch.parameters.push_back(static_cast<std::uint32_t>(span.first_row));
    dispatch.parameters.push_back(count.first_row);
  }

  Result<void> add_dispatch(PlanDispatch dispatch, const Level& level, const Span& span,
                            std::string_view kernel_name, TextSlots slots, Constants constants) {
    if (level.number == 0 && scan_.row_count) heed_row_count(dispatch, slots, span);
    constants.emplace_back("WORKGROUP_WIDTH", workgroup_width_);
    constants.emplace_back("ROWS_PER_LANE",
                           static_cast<std::uint32_t>(kScanBlock / workgroup_width_));
    auto kernel = kernels::specialise(kernel_name, slots, constants);
    if (!kernel) return pass_on(kernel);
    const auto shape =
        dispatch_shape(span.output.rows, kScanBlock, limits_.max_compute_workgroups_per_dimension);
    if (!shape) {
      return fail(shape.error().code,
                  concat("Node '", builder_.node().id, "': ", shape.error().message));
    }
    dispatch.kernel = builder_.add_kernel(std::move(*kernel));
    dispatch.shape = *shape;
    dispatch.extent = {.first_item = span.first_row,
                       .items = span.output.rows,
                       .rows_per_item = level.rows_per_item,
                       .items_per_workgroup = kScanBlock};
    return builder_.add_dispatch(std::move(dispatch), workgroup_width_);
  }

  PlanBuilder& builder_;
  const Limits& limits_;
  const ChainedScan& scan_;
  std::uint32_t workgroup_width_ = 0;
};

}  // namespace

Result<void> lower_chained_scan(PlanBuilder& builder, const ChainedScan& scan) {
  if (scan.input.empty()) return {};
  return ChainedLowering(builder, scan).run();
}

}  // namespace wgprim
