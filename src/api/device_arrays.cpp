// Buffers by the names that plan_scan and plan_reduce give them; see the header.
#include "api/device_arrays.hpp"

#include <algorithm>

namespace wgprim::api {
namespace {

/// What one buffer of an array holds: its parts, which follow each other.
struct Contents {
  std::size_t buffer = 0;
  std::span<const ArrayPart> parts;
};

std::vector<Contents> contents_of(const ArrayLayout& layout) {
  std::vector<Contents> contents;
  const std::span<const ArrayPart> parts = layout.parts;
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t end = first;
    while (end < parts.size() && parts[end].buffer == parts[first].buffer)
      ++end;
    contents.push_back({parts[first].buffer, parts.subspan(first, end - first)});
    first = end;
  }
  return contents;
}

/// The first rows of `bytes` as a buffer holds them, which may have gaps between parts.
class Gathered {
 public:
  Gathered(const Contents& contents, std::uint64_t row_bytes, std::span<const std::byte> bytes) {
    if (contents.parts.size() == 1 && contents.parts.front().byte_offset == 0) {
      taken_ = contents.parts.front().rows * row_bytes;
      bytes_ = bytes.first(taken_);
      return;
    }
    const ArrayPart& last = contents.parts.back();
    spread_.resize(last.byte_offset + last.rows * row_bytes);
    for (const ArrayPart& part : contents.parts) {
      const auto rows = bytes.subspan(taken_, part.rows * row_bytes);
      std::ranges::copy(rows, spread_.begin() + static_cast<std::ptrdiff_t>(part.byte_offset));
      taken_ += rows.size();
    }
    bytes_ = spread_;
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  std::size_t taken() const { return taken_; }

 private:
  std::vector<std::byte> spread_;
  std::span<const std::byte> bytes_;
  std::size_t taken_ = 0;
};

/// Passes on what lies in parts of a buffer whose bytes come in pieces.
Result<void> hand_out_parts(std::span<const std::byte> piece, std::uint64_t at,
                            const Contents& contents, std::uint64_t row_bytes,
                            const RowSink& sink) {
  const auto ends_before = [&](const ArrayPart& part) {
    return part.byte_offset + part.rows * row_bytes <= at;
  };
  const std::uint64_t end = at + piece.size();
  for (auto part = std::ranges::partition_point(contents.parts, ends_before);
       part != contents.parts.end() && part->byte_offset < end; ++part) {
    const std::uint64_t from = std::max(part->byte_offset, at);
    const std::uint64_t to = std::min(part->byte_offset + part->rows * row_bytes, end);
    const auto words = piece.subspan(from - at, to - from);
    auto ok = sink({reinterpret_cast<const std::uint32_t*>(words.data()), words.size() / 4});
    if (!ok) return ok;
  }
  return {};
}

}  // namespace

Result<PlacedArray> place_array(std::string_view name, std::uint64_t rows, Format format,
                                const Placement& placement, const Limits& limits) {
  auto layout = lay_out_array(name, rows, format, placement, limits);
  if (!layout) return pass_on(layout);
  return PlacedArray{name, row_bytes(format), std::move(*layout)};
}

Result<DeviceArrays> DeviceArrays::create(Device& device, const Plan& plan,
                                          std::vector<Import> given) {
  DeviceArrays arrays;
  arrays.given_ = std::move(given);
  for (const PlanBuffer& planned : plan.buffers) {
    if (planned.role != BufferRole::imported) continue;
    if (std::ranges::find(arrays.given_, planned.id, &Import::id) != arrays.given_.end()) continue;
    auto buffer = device.create_buffer(
        planned.bytes, planned.usage | kUsageCopySource | kUsageCopyDestination, planned.id);
    if (!buffer) return pass_on(buffer);
    arrays.buffers_.emplace(planned.id, std::move(*buffer));
  }
  return arrays;
}

std::vector<Import> DeviceArrays::imports() const {
  std::vector<Import> imports = given_;
  for (const auto& [id, buffer] : buffers_)
    imports.push_back({id, &buffer});
  return imports;
}

Buffer& DeviceArrays::buffer_of(const PlacedArray& array, std::size_t index) {
  return buffers_.find(array.layout.buffer_id(array.name, index))->second;
}

Result<void> DeviceArrays::upload_slices(Device& device, Buffer& buffer,
                                         std::span<const std::byte> bytes,
                                         const std::function<void(std::uint64_t)>& progress) const {
  if (slice_bytes_ == std::numeric_limits<std::uint64_t>::max()) {
    return device.upload(buffer, 0, bytes, progress);
  }
  for (std::uint64_t at = 0; at < bytes.size(); at += slice_bytes_) {
    const auto slice = bytes.subspan(at, std::min(slice_bytes_, bytes.size() - at));
    if (auto ok = device.upload(buffer, at, slice); !ok) return ok;
    // What was written waits in memory of the device until it is submitted and done.
    const WGPUCommandEncoder nothing = wgpuDeviceCreateCommandEncoder(device.handle(), nullptr);
    if (auto ok = device.submit_and_wait(nothing, slice.size()); !ok) return ok;
    if (progress) progress(at + slice.size());
  }
  return {};
}

Result<void> DeviceArrays::upload(Device& device, const PlacedArray& array,
                                  std::span<const std::byte> bytes,
                                  const std::function<void(std::uint64_t)>& progress) {
  std::size_t first = 0;
  for (const Contents& contents : contents_of(array.layout)) {
    const Gathered gathered(contents, array.row_bytes, bytes.subspan(first));
    const auto report = [&](std::uint64_t done) {
      if (progress) progress(first + std::min<std::uint64_t>(done, gathered.taken()));
    };
    Buffer& buffer = buffer_of(array, contents.buffer);
    if (auto ok = upload_slices(device, buffer, gathered.bytes(), report); !ok) return ok;
    first += gathered.taken();
  }
  return {};
}

Result<void> DeviceArrays::download(Device& device, const PlacedArray& array, const RowSink& sink,
                                    std::uint64_t most) {
  const auto take_most = [&](std::span<const std::uint32_t> words) {
    const auto taken = words.first(std::min<std::uint64_t>(words.size(), most));
    most -= taken.size();
    return taken.empty() ? Result<void>() : sink(taken);
  };
  for (const Contents& contents : contents_of(array.layout)) {
    if (most == 0) break;
    std::uint64_t bytes = array.layout.buffer_bytes[contents.buffer];
    const bool is_one_part = contents.parts.size() == 1 && contents.parts.front().byte_offset == 0;
    if (is_one_part && most < bytes / 4) bytes = 4 * most;
    Buffer& buffer = buffer_of(array, contents.buffer);
    std::uint64_t at = 0;
    const auto take = [&](std::span<const std::byte> piece) {
      auto ok = hand_out_parts(piece, at, contents, array.row_bytes, take_most);
      at += piece.size();
      return ok;
    };
    for (std::uint64_t first = 0; first < bytes;) {
      const std::uint64_t slice = std::min(slice_bytes_, bytes - first);
      if (auto ok = device.download(buffer, first, slice, take); !ok) return ok;
      first += slice;
    }
  }
  return {};
}

ScanReport report_of(const Plan& plan, std::uint64_t rows) {
  const PlanNode& node = plan.nodes.front();
  return {.path = node.path,
          .reason = node.reason,
          .rows = rows,
          .dispatches = plan.dispatches.size(),
          .bytes_read = plan.workload.bytes_read,
          .bytes_written = plan.workload.bytes_written,
          .scratch_bytes = plan.scratch_bytes,
          .gpu_ns = {},
          .uses_subgroups = node.uses_subgroups,
          .is_deterministic = node.is_deterministic};
}

}  // namespace wgprim::api
