// The specialisations, taken from plans; see the header.
#include "support/kernel_variants.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "kernels/assemble.hpp"
#include "kernels/kernel_table.hpp"
#include "support/case.hpp"
#include "support/kernel_operator.hpp"
#include "support/reduce_case.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::testing {
namespace {

/// Two levels above the rows on path `chained`, a spine on the other.
constexpr std::uint64_t kRows = 70000;
constexpr std::uint32_t kWidths[] = {256, 128, 64};

struct Flavour {
  std::string name;
  ScanCase scan;
};

/// The case with rows that can be taken four at a time, flags too.
ScanCase aligned(ScanCase scan) {
  for (auto* chunks :
       {&scan.input, &scan.output, &scan.flags, &scan.input_high, &scan.output_high}) {
    for (Chunk& chunk : *chunks)
      chunk.byte_offset = 0;
  }
  return scan;
}

ScanCase from(RowValue init, ScanCase scan) {
  scan.init = init;
  return scan;
}

/// Where rows stand, and what scans start from and leave behind.
std::vector<Flavour> flavours_of_places() {
  const ScanCase plain = separate_scan(kRows);
  ScanCase far = shared_buffer_scan(kRows, 100'000);
  far.limits = {"maxStorageBufferBindingSize=524288"};
  ScanCase chunks = plain;
  chunks.input = {{0, 5, 4}, {0, kRows - 5, 28}};
  chunks.buffers[0].bytes += 8;
  const ScanCase split = split_scan({kRows}, {kRows});
  ScanCase split_in_place = aligned(split);
  split_in_place.output_high = split_in_place.input_high;
  ScanCase split_chunks = split;
  split_chunks.input = {{0, 5, 4}, {0, kRows - 5, 28}};
  split_chunks.buffers[0].bytes += 8;
  const ScanCase one_block = separate_scan(200);
  const ScanCase floats = with_rows_of(one_block, Format::float32);
  return {{"words", plain},
          {"quads", aligned(plain)},
          {"in_place", aligned(in_place_scan(kRows))},
          {"shared_buffer", far},
          {"counted", with_count(plain, 5)},
          {"chunks", chunks},
          {"split", split},
          {"split_quads", aligned(split)},
          {"split_in_place", split_in_place},
          {"split_chunks", split_chunks},
          {"segments", with_flags(plain)},
          {"segments_quads", aligned(with_flags(plain))},
          {"segments_chunks", with_flags(chunks)},
          {"initial", from(7u, with_flags(plain))},
          {"carries", with_carry_out(with_carry_in(one_block, {7}))},
          {"carries_f32", with_flags(with_carry_in(floats, {}))}};
}

/// What rows are and how two become one. Few rows: the levels above theirs differ in nothing else.
std::vector<Flavour> flavours_of_operators() {
  std::vector<Flavour> flavours;
  const auto add = [&](std::string name, Format format, Operator op) {
    flavours.push_back(
        {std::move(name), aligned(with_rows_of(separate_scan(2500), format, std::move(op)))});
  };
  add("sum_f32", Format::float32, {});
  add("sum_u64", Format::uint64, {});
  add("min_u32", Format::uint32, {OperatorKind::min});
  add("max_i32", Format::int32, {OperatorKind::max});
  add("min_f32", Format::float32, {OperatorKind::min});
  add("max_f32", Format::float32, {OperatorKind::max});
  add("max_u64", Format::uint64, {OperatorKind::max});
  add("min_i64", Format::int64, {OperatorKind::min});
  constexpr Format kRecords[] = {Format::uint32, Format::uint32x2, Format::uint32x3,
                                 Format::uint32x4};
  for (const CustomOperator& custom : custom_operators())
    add(custom.name, kRecords[custom.oracle.words - 1], custom.description());
  return flavours;
}

class Collector {
 public:
  void add(const std::string& flavour, const PlanKernel& kernel, std::uint32_t width) {
    const auto text = kernels::assemble(kernel, kernels::Dialect::naga);
    if (!text) throw std::logic_error(text.error().message);
    if (!texts_.insert(*text).second) return;
    const std::string name =
        concat(kernel.name, role_of(kernel), flavour.empty() ? "" : ".", flavour, ".", width);
    if (!names_.insert(name).second) throw std::logic_error(concat("two variants ", name));
    variants_.push_back({name, kernel});
  }

  void add_scan(const Flavour& flavour, std::uint32_t width, bool has_subgroups) {
    for (const Path path : {Path::chained, Path::reduce_then_scan}) {
      ScanCase scan = flavour.scan;
      scan.path = path;
      const auto plan = plan_scan(scan, profile_of(width, has_subgroups));
      if (!plan) throw std::logic_error(plan.error().message);
      for (const PlanKernel& kernel : plan->kernels)
        add(flavour.name, kernel, width);
    }
  }

  void add_reduction(const Flavour& flavour, std::uint32_t width, bool has_subgroups) {
    const ReduceCase all{
        .rows = {kRows}, .format = flavour.scan.format, .op = flavour.scan.op, .lead = 0};
    add_reduction("reduction_" + flavour.name, all, width, has_subgroups);
  }

  /// By flags and by offsets; one for each way to take rows and to write elements.
  void add_segment_reductions(const Flavour& flavour, std::uint32_t width, bool has_subgroups) {
    const ReduceCase all{.rows = {kRows},
                         .format = flavour.scan.format,
                         .op = flavour.scan.op,
                         .lead = flavour.name == "words" ? 1u : 0u};
    ReduceCase by_flags = all;
    by_flags.flags = Words(kRows);
    add_reduction("totals_" + flavour.name, by_flags, width, has_subgroups);
    by_flags.rows = {200};
    by_flags.flags = Words(200);
    add_reduction("few_totals_" + flavour.name, by_flags, width, has_subgroups);
    ReduceCase by_offsets = all;
    by_offsets.offsets = Words(10);
    add_reduction("ranges_" + flavour.name, by_offsets, width, has_subgroups);
  }

  void add_reduction(const std::string& name, const ReduceCase& reduce, std::uint32_t width,
                     bool has_subgroups) {
    const auto plan = plan_reduction(reduce, profile_of(width, has_subgroups));
    if (!plan) throw std::logic_error(plan.error().message);
    for (const PlanKernel& kernel : plan->kernels) {
      // The others differ from those of scans in no more than they do without segments.
      if (name.starts_with("reduction_") || kernel.name.starts_with("scan_tiles") ||
          kernel.name == "reduce_ranges")
        add(name, kernel, width);
    }
  }

  std::vector<KernelVariant> take() {
    std::ranges::sort(variants_, {}, &KernelVariant::name);
    return std::move(variants_);
  }

 private:
  static DeviceProfile profile_of(std::uint32_t width, bool has_subgroups) {
    DeviceProfile profile;
    profile.limits.max_compute_invocations_per_workgroup = width;
    profile.capabilities.subgroups = has_subgroups;
    return profile;
  }

  /// What tells several kernels of a plan apart that have one name.
  static std::string role_of(const PlanKernel& kernel) {
    const std::string_view rows = fragment_of(kernel, "rows");
    const bool is_of_items = rows.ends_with("_items") || rows == "rows_totals";
    const bool is_top = fragment_of(kernel, "carry") == "carry_start" ||
                        (rows == "rows_totals" && fragment_of(kernel, "total") != "total_spine");
    return concat(is_of_items ? ".items" : "", is_top ? ".top" : "");
  }

  std::vector<KernelVariant> variants_;
  std::set<std::string> names_;
  std::set<std::string> texts_;
};

}  // namespace

std::vector<KernelVariant> kernel_variants() {
  Collector collector;
  for (const bool has_subgroups : {false, true}) {
    for (const Flavour& flavour : flavours_of_places()) {
      const bool is_usual = flavour.name == "words" || flavour.name == "segments_quads";
      for (const std::uint32_t width : kWidths) {
        if (is_usual || width == kWidths[0]) collector.add_scan(flavour, width, has_subgroups);
      }
      if (!is_usual) continue;
      collector.add_reduction(flavour, kWidths[0], has_subgroups);
      collector.add_segment_reductions(flavour, kWidths[0], has_subgroups);
    }
    for (const Flavour& flavour : flavours_of_operators()) {
      // One for each way that subgroups combine rows, and each width.
      constexpr std::string_view kWithSubgroups[] = {"sum_f32", "affine", "unitriangular",
                                                     "matrices"};
      if (has_subgroups &&
          std::ranges::find(kWithSubgroups, flavour.name) == std::end(kWithSubgroups))
        continue;
      collector.add_scan(flavour, kWidths[0], has_subgroups);
      collector.add_reduction(flavour, kWidths[0], has_subgroups);
      if (flavour.name == "max_f32" || flavour.name == "matrices")
        collector.add_segment_reductions(flavour, kWidths[0], has_subgroups);
    }
  }
  for (const kernels::ShaderFile& file : kernels::shader_files()) {
    const bool is_of_rows = file.name.starts_with("scan_") || file.name.starts_with("reduce_") ||
                            file.name == "add_block_offsets";
    if (!file.is_kernel || is_of_rows) continue;
    for (const std::uint32_t width : kWidths) {
      const auto kernel = kernels::specialise(file.name, {}, {{"WORKGROUP_WIDTH", width}});
      if (!kernel) throw std::logic_error(kernel.error().message);
      collector.add("", *kernel, width);
    }
  }
  return collector.take();
}

}  // namespace wgprim::testing
