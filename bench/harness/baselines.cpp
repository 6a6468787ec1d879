// Memory-moving kernels and their plans; see the header.
#include "baselines.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "arrays.hpp"

namespace wgprim::bench {
namespace {

constexpr const char* kCopyWgsl = R"(
override WORKGROUP_WIDTH: u32 = 256;
@group(0) @binding(0) var<uniform> parameters: vec4u;
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;
@group(0) @binding(2) var<storage, read> input: array<vec4u>;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn copy_rows(@builtin(local_invocation_index) lane: u32,
             @builtin(workgroup_id) group_id: vec3u,
             @builtin(num_workgroups) groups: vec3u) {
  let first = (group_id.y * groups.x + group_id.x) * 4u * WORKGROUP_WIDTH + lane;
  for (var k = 0u; k < 4u; k += 1u) {
    let i = first + k * WORKGROUP_WIDTH;
    if (i < parameters.x) {
      output[i] = input[i];
    }
  }
}
)";

constexpr const char* kReadOnlyWgsl = R"(
override WORKGROUP_WIDTH: u32 = 256;
@group(0) @binding(0) var<uniform> parameters: vec4u;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<storage, read> input: array<vec4u>;

var<workgroup> totals: array<u32, WORKGROUP_WIDTH>;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn read_rows(@builtin(local_invocation_index) lane: u32,
             @builtin(workgroup_id) group_id: vec3u,
             @builtin(num_workgroups) groups: vec3u) {
  let group = group_id.y * groups.x + group_id.x;
  let first = group * 4u * WORKGROUP_WIDTH + lane;
  var sums = vec4u(0u);
  for (var k = 0u; k < 4u; k += 1u) {
    let i = first + k * WORKGROUP_WIDTH;
    if (i < parameters.x) {
      sums += input[i];
    }
  }
  totals[lane] = sums.x + sums.y + sums.z + sums.w;
  for (var half = WORKGROUP_WIDTH / 2u; half > 0u; half >>= 1u) {
    workgroupBarrier();
    if (lane < half) {
      totals[lane] += totals[lane + half];
    }
  }
  if (lane == 0u && group < parameters.y) {
    output[parameters.z + group] = totals[0];
  }
}
)";

constexpr const char* kTwoReadsWgsl = R"(
override WORKGROUP_WIDTH: u32 = 256;
@group(0) @binding(0) var<uniform> parameters: vec4u;
@group(0) @binding(1) var<storage, read_write> output: array<vec4u>;
@group(0) @binding(2) var<storage, read> input: array<vec4u>;
@group(0) @binding(3) var<storage, read> second: array<vec4u>;

@compute @workgroup_size(WORKGROUP_WIDTH)
fn add_rows(@builtin(local_invocation_index) lane: u32,
            @builtin(workgroup_id) group_id: vec3u,
            @builtin(num_workgroups) groups: vec3u) {
  let first = (group_id.y * groups.x + group_id.x) * 4u * WORKGROUP_WIDTH + lane;
  for (var k = 0u; k < 4u; k += 1u) {
    let i = first + k * WORKGROUP_WIDTH;
    if (i < parameters.x) {
      output[i] = input[i] + second[i];
    }
  }
}
)";

constexpr std::uint64_t kVectorBytes = 16;
constexpr std::uint64_t kVectorsOfALane = 4;
constexpr std::uint64_t kMostLanes = 256;

/// Lanes of a workgroup: as many as the device takes, and a power of two.
std::uint32_t width_for(const Limits& limits) {
  const std::uint64_t widest = std::min({limits.max_compute_invocations_per_workgroup,
                                         limits.max_compute_workgroup_size_x, kMostLanes});
  return static_cast<std::uint32_t>(std::bit_floor(std::max(widest, std::uint64_t{1})));
}

std::uint32_t groups_for(std::uint64_t bytes, const Limits& limits) {
  const std::uint64_t group_bytes = width_for(limits) * kVectorsOfALane * kVectorBytes;
  return static_cast<std::uint32_t>((bytes + group_bytes - 1) / group_bytes);
}

PlanKernel kernel_for(Traffic traffic, const Limits& limits) {
  PlanKernel kernel{.name = "copy_rows",
                    .constants = {{"WORKGROUP_WIDTH", width_for(limits)}},
                    .bindings = {{0, Access::parameters},
                                 {1, Access::storage_read_write},
                                 {2, Access::storage_read}},
                    .wgsl = kCopyWgsl};
  if (traffic == Traffic::read_only) {
    kernel.name = "read_rows";
    kernel.wgsl = kReadOnlyWgsl;
  }
  if (traffic == Traffic::two_reads) {
    kernel.name = "add_rows";
    kernel.wgsl = kTwoReadsWgsl;
    kernel.bindings.push_back({3, Access::storage_read});
  }
  return kernel;
}

/// The bytes of one dispatch: of a piece, from `offset` on.
struct Part {
  std::uint32_t piece;
  std::uint64_t offset;
  std::uint64_t bytes;
};

std::vector<Part> parts_of(std::span<const std::uint64_t> piece_rows, const Limits& limits) {
  const std::uint64_t most =
      limits.max_storage_buffer_binding_size / kBindingAlignment * kBindingAlignment;
  std::vector<Part> parts;
  for (std::uint32_t piece = 0; piece < piece_rows.size(); ++piece) {
    const std::uint64_t bytes = padded_bytes(piece_rows[piece]);
    for (std::uint64_t offset = 0; offset < bytes; offset += most)
      parts.push_back({piece, offset, std::min(most, bytes - offset)});
  }
  return parts;
}

/// Appends a buffer for each piece and returns the index of the first.
std::uint32_t add_array(Plan& plan, std::string_view name, std::span<const std::uint64_t> rows) {
  const auto first = static_cast<std::uint32_t>(plan.buffers.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    plan.buffers.push_back({.id = piece_id(name, i, rows.size()),
                            .bytes = padded_bytes(rows[i]),
                            .usage = kUsageStorage});
  }
  return first;
}

}  // namespace

std::uint64_t read_only_words(std::span<const std::uint64_t> piece_rows, const Limits& limits) {
  std::uint64_t words = 0;
  for (const Part& part : parts_of(piece_rows, limits))
    words += groups_for(part.bytes, limits);
  return words;
}

Plan baseline_plan(Traffic traffic, std::span<const std::uint64_t> piece_rows,
                   const Limits& limits) {
  Plan plan;
  plan.kernels = {kernel_for(traffic, limits)};
  plan.nodes = {{.id = plan.kernels[0].name, .operation = "compute"}};
  const std::uint32_t input = add_array(plan, "input", piece_rows);
  const bool is_reading = traffic == Traffic::read_only;
  const std::uint64_t sums[] = {read_only_words(piece_rows, limits)};
  const std::uint32_t output =
      is_reading ? add_array(plan, "sums", sums) : add_array(plan, "output", piece_rows);
  const bool has_second = traffic == Traffic::two_reads;
  const std::uint32_t second = has_second ? add_array(plan, "second", piece_rows) : 0;
  std::uint32_t groups_before = 0;
  for (const auto& [piece, offset, bytes] : parts_of(piece_rows, limits)) {
    const std::uint32_t groups = groups_for(bytes, limits);
    // As even as it gets: padding groups cost time, 7 % of a copy of 2^28 rows where x is the
    // limit (NVIDIA H200).
    const auto widest = static_cast<std::uint32_t>(limits.max_compute_workgroups_per_dimension);
    const std::uint32_t tall = (groups + widest - 1) / widest;
    const std::uint32_t wide = (groups + tall - 1) / tall;
    PlanDispatch dispatch{
        .label = plan.kernels[0].name,
        .bindings = {{1, output + piece, offset, bytes}, {2, input + piece, offset, bytes}},
        .parameters = {static_cast<std::uint32_t>(bytes / kVectorBytes), groups, groups_before, 0},
        .shape = {wide, tall, 1}};
    if (is_reading) dispatch.bindings[0] = {1, output, 0, plan.buffers[output].bytes};
    if (has_second) dispatch.bindings.push_back({3, second + piece, offset, bytes});
    plan.dispatches.push_back(std::move(dispatch));
    groups_before += groups;
  }
  plan.passes = {PlanComputePass{0, static_cast<std::uint32_t>(plan.dispatches.size())}};
  return plan;
}

}  // namespace wgprim::bench
