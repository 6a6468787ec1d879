// What sections and levels are made of; see the header. They are cut in ops/cut_sections.cpp.
#include "ops/sections.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "ops/bindable.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

/// The section's runs as shaders/shared/place_chunked.wgsl and place_split_chunked.wgsl read them.
void append_table(const Section& section, const Limits& limits, std::vector<std::uint32_t>& words) {
  constexpr OperandRole kWhole[] = {OperandRole::input, OperandRole::output, OperandRole::flags};
  constexpr OperandRole kSplit[] = {OperandRole::input, OperandRole::output,
                                    OperandRole::input_high, OperandRole::output_high};
  const auto roles = section.is_split() ? std::span<const OperandRole>(kSplit) : kWhole;
  for (const Run& run : section.runs) {
    words.push_back(static_cast<std::uint32_t>(run.first_row));
    for (const OperandRole role : roles) {
      const bool is_present = section.range(role).is_present();
      const std::uint64_t begin = run.byte_offset[static_cast<std::size_t>(role)];
      const std::uint64_t bytes = is_present ? begin - section.base(role, limits) : 0;
      words.push_back(static_cast<std::uint32_t>(bytes / 4));
    }
  }
}

}  // namespace

bool Section::is_high_in_place() const {
  return is_split() && range(OperandRole::output_high).is_present() &&
         range(OperandRole::input_high).buffer == range(OperandRole::output_high).buffer;
}

bool Section::is_shared() const {
  return range(OperandRole::output).is_present() &&
         range(OperandRole::input).buffer == range(OperandRole::output).buffer;
}

bool Section::is_one_binding(const Limits& limits) const {
  const OperandRange& input = range(OperandRole::input);
  const OperandRange& output = range(OperandRole::output);
  return is_shared() &&
         fits(std::min(input.begin, output.begin), std::max(input.end, output.end), limits);
}

std::uint64_t Section::base(OperandRole role, const Limits& limits) const {
  std::uint64_t begin = range(role).begin;
  const bool is_row = role == OperandRole::input || role == OperandRole::output;
  if (is_row && is_one_binding(limits)) {
    begin = std::min(range(OperandRole::input).begin, range(OperandRole::output).begin);
  }
  return aligned_down(begin);
}

std::uint64_t items_per_buffer(std::uint64_t item_bytes, const Limits& limits) {
  const std::uint64_t bytes = std::min(limits.max_buffer_size, largest_binding(limits));
  return whole_blocks(bytes / item_bytes, kLevelBlock);
}

std::uint64_t rows_per_block(const Level& level) {
  std::uint64_t least = level.sections.front().block_rows * level.rows_per_item;
  const auto consider = [&](std::uint64_t first_row, std::uint64_t block) {
    if (block > 0) least = std::min(least, level.rows_per_item * first_row / block);
  };
  // Block b must be among the first ceil(n / result) as soon as its first row is wanted. Within a
  // section blocks are equally long, so that the least quotient is that of the first or the last.
  for (const Section& section : level.sections) {
    const std::uint64_t last = section.block_count() - 1;
    consider(section.first_row, section.first_block);
    consider(section.first_row + last * section.block_rows, section.first_block + last);
  }
  return least;
}

bool has_whole_blocks(const Level& level) {
  return std::ranges::all_of(level.sections, [](const Section& section) {
    return section.first_row == section.first_block * section.block_rows;
  });
}

Result<void> check_totals_fit(const PlanBuilder& builder, std::uint64_t item_bytes) {
  const Limits& limits = builder.profile().limits;
  if (items_per_buffer(item_bytes, limits) > 1) return {};
  const bool is_buffer = limits.max_buffer_size <= limits.max_storage_buffer_binding_size;
  return fail(
      ErrorCode::limit_exceeded,
      concat("Node '", builder.node().id, "' cannot hold the totals of two blocks within ",
             is_buffer ? limits.max_buffer_size : limits.max_storage_buffer_binding_size,
             is_buffer ? " bytes (maxBufferSize)." : " bytes (maxStorageBufferBindingSize)."));
}

std::vector<PlanView> add_totals(PlanBuilder& builder, std::string_view name,
                                 std::uint64_t item_bytes, Level& level) {
  const std::uint64_t blocks = level.block_count();
  const std::uint64_t most = items_per_buffer(item_bytes, builder.profile().limits);
  const auto row_bytes = static_cast<std::uint32_t>(item_bytes);
  std::vector<PlanView> totals;
  for (std::uint64_t first = 0; first < blocks; first += most) {
    const std::uint64_t rows = std::min(most, blocks - first);
    const std::string id = blocks > most ? concat(name, ".", totals.size()) : std::string(name);
    totals.push_back({builder.add_transient(id, rows * item_bytes), 0, rows, row_bytes});
  }
  for (Section& section : level.sections) {
    const PlanView& buffer = totals[section.first_block / most];
    section.totals = {buffer.buffer, section.first_block % most * item_bytes, section.block_count(),
                      row_bytes};
  }
  return totals;
}

void add_tables(PlanBuilder& builder, const Limits& limits, std::vector<Section>& sections) {
  // Each table starts where a binding may; a buffer takes as many as the device allows.
  constexpr std::uint64_t kAlignment = kBindingAlignment / 4;
  std::vector<std::uint32_t> words;
  std::vector<Section*> owners;
  std::size_t buffers = 0;
  const auto flush = [&] {
    if (owners.empty()) return;
    const std::string name = buffers == 0 ? "runs" : concat("runs", buffers);
    const std::uint32_t buffer = builder.add_constant(name, std::exchange(words, {}));
    for (Section* section : owners)
      section->table.buffer = buffer;
    owners.clear();
    ++buffers;
  };
  for (Section& section : sections) {
    if (section.runs.size() < 2) continue;
    const std::uint64_t first = (words.size() + kAlignment - 1) / kAlignment * kAlignment;
    const std::uint64_t bytes = run_bytes(section.is_split());
    if (4 * first + section.runs.size() * bytes > limits.max_buffer_size) flush();
    if (!words.empty()) words.resize(first);
    section.table = {0, words.size() * 4, section.runs.size(), static_cast<std::uint32_t>(bytes)};
    append_table(section, limits, words);
    owners.push_back(&section);
  }
  flush();
}

Result<std::vector<SegmentWindow>> cut_into_windows(const PlanBuilder& builder,
                                                    const std::vector<PlanView>& chunks,
                                                    std::uint64_t segments,
                                                    std::uint64_t sections) {
  const Limits& limits = builder.profile().limits;
  std::vector<SegmentWindow> windows;
  std::uint64_t first = 0;
  for (PlanView rest : chunks) {
    rest.rows = std::min(rest.rows, segments - first);
    while (rest.rows > 0) {
      // Neither the rows nor the offsets, which start somewhere in their binding, exceed one.
      const std::uint64_t bytes = largest_binding(limits);
      const std::uint64_t room = bytes - std::min(bytes, kBindingAlignment + 4);
      const std::uint64_t rows = std::min(rest.rows, room / rest.row_bytes);
      if (rows == 0 || (windows.size() + 1) * sections > kMostSections) {
        return fail(ErrorCode::limit_exceeded,
                    concat("Node '", builder.node().id, "' cannot store the totals of ", segments,
                           " segments within ", kMostSections, " dispatches through bindings of ",
                           limits.max_storage_buffer_binding_size,
                           " bytes (maxStorageBufferBindingSize)."));
      }
      windows.push_back({first, rest});
      windows.back().totals.rows = rows;
      rest.byte_offset += rows * rest.row_bytes;
      rest.rows -= rows;
      first += rows;
    }
  }
  return windows;
}

}  // namespace wgprim
