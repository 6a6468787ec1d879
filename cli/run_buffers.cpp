// Files to buffers and back; see the header.
#include "run_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace wgprim::cli {
namespace {

constexpr std::uint64_t kWordBytes = 4;

/// Picks the bytes of rows out of a range that comes in pieces. Packed rows are one long row.
class RowPicker {
 public:
  /// `skipped` bytes of the range come before the first row.
  RowPicker(const DataView& view, std::uint64_t skipped) : next_(skipped), rows_(view.rows) {
    const std::uint64_t packed = row_bytes(view.format);
    row_bytes_ = packed;
    stride_ = view.byte_stride.value_or(packed);
    if (stride_ != packed) return;
    row_bytes_ = stride_ = packed * rows_;
    rows_ = 1;
  }

  std::span<const std::byte> pick(std::span<const std::byte> piece) {
    picked_.clear();
    const std::uint64_t end = at_ + piece.size();
    while (rows_ > 0 && next_ + taken_ < end) {
      const std::uint64_t from = next_ + taken_ - at_;
      const std::uint64_t count = std::min(row_bytes_ - taken_, piece.size() - from);
      const auto start = piece.begin() + static_cast<std::ptrdiff_t>(from);
      picked_.insert(picked_.end(), start, start + static_cast<std::ptrdiff_t>(count));
      taken_ += count;
      if (taken_ < row_bytes_) break;
      next_ += stride_;
      taken_ = 0;
      --rows_;
    }
    at_ = end;
    return picked_;
  }

 private:
  std::uint64_t at_ = 0;     // Bytes of the range seen so far.
  std::uint64_t next_;       // Where the next row begins in it,
  std::uint64_t taken_ = 0;  // and how much of that row is picked.
  std::uint64_t rows_;
  std::uint64_t row_bytes_ = 0;
  std::uint64_t stride_ = 0;
  std::vector<std::byte> picked_;
};

}  // namespace

Result<RunBuffers> RunBuffers::read(const Plan& plan, const std::vector<Assignment>& binds,
                                    const std::map<std::string, bool>& parameters) {
  RunBuffers buffers(plan);
  std::unordered_map<std::string_view, std::uint32_t> index_of;
  for (std::uint32_t index = 0; index < plan.buffers.size(); ++index)
    index_of.emplace(plan.buffers[index].id, index);
  for (const Assignment& bind : binds) {
    const auto found = index_of.find(bind.name);
    if (found == index_of.end()) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("The graph has no buffer '{}' to bind.", bind.name));
    }
    if (auto ok = buffers.bind(bind, found->second); !ok) return pass_on(ok);
  }
  if (auto ok = buffers.check_unbound(parameters); !ok) return pass_on(ok);
  return buffers;
}

Result<void> RunBuffers::bind(const Assignment& bind, std::uint32_t index) {
  const PlanBuffer& buffer = plan_->buffers[index];
  if (buffer.role != BufferRole::imported) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("Buffer '{}' cannot be bound: it is scratch of the graph.", bind.name));
  }
  auto payload = io::read_payload(bind.value, buffer.bytes);
  if (!payload) return pass_on(payload);
  if (payload->bytes.size() != buffer.bytes) {
    return fail(ErrorCode::invalid_file,
                fmt::format("Buffer '{}' takes {} bytes, '{}' gives {}.", bind.name, buffer.bytes,
                            bind.value, payload->bytes.size()));
  }
  if (bind.value == "-") stdin_format_ = payload->format;
  payloads_.emplace(index, std::move(*payload));
  return {};
}

Result<void> RunBuffers::check_unbound(const std::map<std::string, bool>& parameters) const {
  std::vector<bool> is_known(plan_->buffers.size());  // Bound, or written by an earlier node.
  for (const auto& [index, payload] : payloads_)
    is_known[index] = true;
  for (const PlanNode& node : plan_->nodes) {
    const auto condition = parameters.find(node.condition);
    if (condition != parameters.end() && !condition->second) continue;  // It does not run.
    for (const std::uint32_t index : node.reads) {
      const PlanBuffer& buffer = plan_->buffers[index];
      if (std::ranges::binary_search(node.writes, index)) continue;  // Its first use writes.
      if (is_known[index] || buffer.role != BufferRole::imported) continue;
      return fail(ErrorCode::invalid_argument,
                  fmt::format("Buffer '{}' is read by node '{}' before anything wrote it, and is "
                              "not bound; --bind {}=FILE fills it.",
                              buffer.id, node.id, buffer.id));
    }
    for (const std::uint32_t index : node.writes)
      is_known[index] = true;
  }
  return {};
}

Result<void> RunBuffers::upload(Device& device, ProgressLine& line) {
  std::uint64_t total = 0;
  for (const auto& [index, payload] : payloads_)
    total += payload.bytes.size();
  buffers_.resize(plan_->buffers.size());
  std::uint64_t done = 0;
  for (std::uint32_t index = 0; index < plan_->buffers.size(); ++index) {
    const PlanBuffer& planned = plan_->buffers[index];
    if (planned.role != BufferRole::imported) continue;
    auto buffer = device.create_buffer(
        planned.bytes, planned.usage | kUsageCopySource | kUsageCopyDestination, planned.id);
    if (!buffer) return pass_on(buffer);
    buffers_[index] = std::move(*buffer);
    const auto report = [&](std::uint64_t part) {
      line.update("upload", (done + part) / kWordBytes, total / kWordBytes);
    };
    if (auto ok = fill(device, index, report); !ok) return ok;
    if (payloads_.contains(index)) done += planned.bytes;
  }
  return {};
}

Result<void> RunBuffers::fill(Device& device, std::uint32_t index,
                              const std::function<void(std::uint64_t)>& report) {
  const auto found = payloads_.find(index);
  if (found == payloads_.end()) return {};
  const auto bytes = found->second.bytes;
  const std::size_t whole = bytes.size() / kWordBytes * kWordBytes;
  if (auto ok = device.upload(*buffers_[index], 0, bytes.first(whole), report); !ok) return ok;
  if (whole == bytes.size()) return {};
  std::array<std::byte, kWordBytes> rest{};  // Buffers are whole words on the device.
  std::ranges::copy(bytes.subspan(whole), rest.begin());
  return device.upload(*buffers_[index], whole, rest);
}

std::vector<Import> RunBuffers::imports() const {
  std::vector<Import> imports;
  for (std::size_t index = 0; index < buffers_.size(); ++index) {
    if (buffers_[index]) imports.push_back({plan_->buffers[index].id, &*buffers_[index]});
  }
  return imports;
}

Result<void> RunBuffers::download(Device& device, const VectorView& view,
                                  const Device::Sink& sink) {
  for (const DataView& chunk : view.chunks) {
    if (chunk.rows == 0) continue;
    const std::uint64_t row = row_bytes(chunk.format);
    const std::uint64_t stride = chunk.byte_stride.value_or(row);
    const std::uint64_t begin = chunk.byte_offset / kWordBytes * kWordBytes;
    const std::uint64_t last = chunk.byte_offset + (chunk.rows - 1) * stride + row;
    const std::uint64_t end = (last + kWordBytes - 1) / kWordBytes * kWordBytes;
    RowPicker picker(chunk, chunk.byte_offset - begin);
    const auto take = [&](std::span<const std::byte> piece) { return sink(picker.pick(piece)); };
    auto ok = device.download(*buffers_[chunk.buffer.index], begin, end - begin, take);
    if (!ok) return ok;
  }
  return {};
}

}  // namespace wgprim::cli
