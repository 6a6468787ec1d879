// Views to files; see the header.
#include "run_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wgprim::cli {
namespace {

/// How the rows of a format lie in an array file: records of words are 2-D.
struct ArrayShape {
  io::DataType dtype = io::DataType::uint32;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
};

ArrayShape shape_of(const VectorView& view) {
  ArrayShape shape;
  for (const DataView& chunk : view.chunks)
    shape.rows += chunk.rows;
  const Format format = view.chunks.empty() ? Format::uint32 : view.chunks.front().format;
  switch (format) {
    case Format::uint32: break;
    case Format::int32: shape.dtype = io::DataType::int32; break;
    case Format::float32: shape.dtype = io::DataType::float32; break;
    case Format::uint64: shape.dtype = io::DataType::uint64; break;
    case Format::int64: shape.dtype = io::DataType::int64; break;
    case Format::uint32x2: shape.columns = 2; break;
    case Format::uint32x3: shape.columns = 3; break;
    case Format::uint32x4: shape.columns = 4; break;
  }
  return shape;
}

Result<VectorView> find_output(const std::string& name, const Graph& graph, const Plan& plan) {
  auto view = graph.find_view(name);
  if (!view) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("The graph has neither a view nor a buffer '{}' to read.", name));
  }
  for (const DataView& chunk : view->chunks) {
    if (chunk.format != view->chunks.front().format) {
      return fail(
          ErrorCode::invalid_argument,
          fmt::format("'{}' cannot be read: its chunks are of different formats ({}, {}).", name,
                      to_string(view->chunks.front().format), to_string(chunk.format)));
    }
    const PlanBuffer& buffer = plan.buffers[chunk.buffer.index];
    if (buffer.role == BufferRole::imported) continue;
    return fail(ErrorCode::invalid_argument,
                fmt::format("'{}' cannot be read: it lies in the transient buffer '{}', whose "
                            "memory is shared and holds nothing once the graph has run.",
                            name, buffer.id));
  }
  return std::move(*view);
}

}  // namespace

Result<RunOutputs> RunOutputs::open(const std::vector<Assignment>& outs, const Graph& graph,
                                    const Plan& plan, io::FileFormat stream_format) {
  RunOutputs outputs;
  std::map<std::string, std::string> names;  // By target.
  for (const Assignment& out : outs) {
    auto view = find_output(out.name, graph, plan);
    if (!view) return pass_on(view);
    auto file = io::OutputFile::create(out.value);
    if (!file) return pass_on(file);
    const auto [other, is_new] = names.emplace(file->target(), out.name);
    if (!is_new && !file->target().empty()) {
      return fail(ErrorCode::invalid_argument, fmt::format("'{}' and '{}' both go to '{}'.",
                                                           other->second, out.name, out.value));
    }
    const io::FileFormat format = io::format_for_output(out.value, stream_format);
    const ArrayShape shape = shape_of(*view);
    auto reserved = io::reserve_array(*file, format, shape.dtype, shape.rows, shape.columns);
    if (!reserved) return pass_on(reserved);
    outputs.outputs_.push_back({out.value, std::move(*view), format, std::move(*file)});
  }
  return outputs;
}

Result<void> RunOutputs::write(Output& output, Device& device, RunBuffers& buffers) {
  const ArrayShape shape = shape_of(output.view);
  const auto header =
      io::write_array_header(output.file, output.format, shape.dtype, shape.rows, shape.columns);
  if (!header) return header;
  return buffers.download(device, output.view, [&](std::span<const std::byte> piece) {
    return output.file.write(piece);
  });
}

Result<void> RunOutputs::write(Device& device, RunBuffers& buffers) {
  for (Output& output : outputs_) {
    const auto written = write(output, device, buffers);
    if (!written && !output.file.is_pipe_closed()) return written;
  }
  for (Output& output : outputs_) {
    if (output.file.is_pipe_closed()) continue;
    if (auto ok = output.file.commit(); !ok) return ok;
  }
  return {};
}

bool RunOutputs::has_stdout() const {
  return std::ranges::any_of(
      outputs_, [](const Output& output) { return io::is_standard_output(output.path); });
}

bool RunOutputs::is_pipe_closed() const {
  return std::ranges::any_of(outputs_,
                             [](const Output& output) { return output.file.is_pipe_closed(); });
}

}  // namespace wgprim::cli
