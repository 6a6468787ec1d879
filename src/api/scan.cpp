// One-call scans: the plan of one scan with upload and read-back around it.
#include <new>
#include <string>

#include "wgprim/detail/text.hpp"
#include "wgprim/wgprim.hpp"

namespace wgprim {
namespace {

/// The arrays of a scan on the device, each in one buffer or several, as the plan has them.
class Arrays {
 public:
  static Result<Arrays> create(Device& device, const Plan& plan) {
    Arrays arrays;
    for (const PlanBuffer& planned : plan.buffers) {
      if (planned.role != BufferRole::imported) continue;
      auto buffer = device.create_buffer(
          planned.bytes, planned.usage | kUsageCopySource | kUsageCopyDestination, planned.id);
      if (!buffer) return pass_on(buffer);
      arrays.pieces_.push_back({planned.id, planned.bytes / 4, std::move(*buffer)});
    }
    return arrays;
  }

  std::vector<Import> imports() const {
    std::vector<Import> imports;
    for (const Piece& piece : pieces_)
      imports.push_back({piece.id, &piece.buffer});
    return imports;
  }

  /// `progress` hears of the rows done so far.
  Result<void> upload(Device& device, std::span<const std::uint32_t> rows,
                      const std::function<void(std::uint64_t)>& progress) {
    std::size_t first = 0;
    for (auto piece = pieces_.begin(); first < rows.size(); ++piece) {
      const auto bytes = std::as_bytes(rows.subspan(first, piece->rows));
      const auto report = [&](std::uint64_t done) { progress(first + done / 4); };
      if (auto ok = device.upload(piece->buffer, 0, bytes, report); !ok) return ok;
      first += piece->rows;
    }
    return {};
  }

  /// Downloads the last `count` of the buffers.
  Result<void> download(Device& device, std::size_t count, const RowSink& sink) {
    const auto as_rows = [&](std::span<const std::byte> bytes) {
      return sink({reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4});
    };
    for (auto piece = pieces_.end() - static_cast<std::ptrdiff_t>(count); piece != pieces_.end();
         ++piece) {
      if (piece->rows == 0) continue;
      if (auto ok = device.download(piece->buffer, 0, piece->rows * 4, as_rows); !ok) return ok;
    }
    return {};
  }

  std::size_t count() const { return pieces_.size(); }

 private:
  struct Piece {
    std::string id;
    std::size_t rows = 0;
    Buffer buffer;
  };
  std::vector<Piece> pieces_;
};

Result<Plan> plan_for(Device& device, std::uint64_t rows, const ScanOptions& options) {
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  return plan_scan(rows, options, *profile);
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

Result<std::vector<std::uint32_t>> scan_to_vector(Device& device,
                                                  std::span<const std::uint32_t> input,
                                                  ScanMode mode) {
  std::vector<std::uint32_t> rows;
  try {
    rows.reserve(input.size());
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::out_of_memory,
                concat("The host has no memory for a result of ", input.size(), " rows."));
  }
  const auto append = [&](std::span<const std::uint32_t> piece) -> Result<void> {
    rows.insert(rows.end(), piece.begin(), piece.end());
    return {};
  };
  const auto report = scan(device, input, append, {.mode = mode});
  if (!report) return pass_on(report);
  return rows;
}

}  // namespace

Result<std::vector<std::uint32_t>> exclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input) {
  return scan_to_vector(device, input, ScanMode::exclusive);
}

Result<std::vector<std::uint32_t>> inclusive_scan(Device& device,
                                                  std::span<const std::uint32_t> input) {
  return scan_to_vector(device, input, ScanMode::inclusive);
}

Result<Executable> compile_scan(Device& device, std::uint64_t rows, const ScanOptions& options) {
  auto plan = plan_for(device, rows, options);
  if (!plan) return pass_on(plan);
  return Executable::create(device, std::move(*plan));
}

Result<ScanReport> scan(Device& device, std::span<const std::uint32_t> input, const RowSink& output,
                        const ScanOptions& options, const ProgressSink& progress) {
  if (!output) {
    return fail(ErrorCode::invalid_argument, "The sink for the rows of the result is empty.");
  }
  const std::uint64_t rows = input.size();
  const auto tell = [&](std::string_view stage, std::uint64_t done) {
    if (progress) progress(stage, done, rows);
  };
  auto executable = compile_scan(device, rows, options);
  if (!executable) return pass_on(executable);
  auto arrays = Arrays::create(device, executable->plan());
  if (!arrays) return pass_on(arrays);

  const auto uploaded =
      arrays->upload(device, input, [&](std::uint64_t done) { tell("upload", done); });
  if (!uploaded) return pass_on(uploaded);

  ScanReport report = report_of(executable->plan(), rows);
  tell("scan", 0);
  const auto imports = arrays->imports();
  const auto ran = run(device, *executable, {.imports = imports}, &report.gpu_ns);
  if (!ran) return pass_on(ran);
  tell("scan", rows);

  std::uint64_t done = 0;
  const std::size_t outputs = options.is_in_place ? arrays->count() : arrays->count() / 2;
  const auto read = arrays->download(device, outputs, [&](std::span<const std::uint32_t> piece) {
    auto taken = output(piece);
    done += piece.size();
    tell("read back", done);
    return taken;
  });
  if (!read) return pass_on(read);
  return report;
}

}  // namespace wgprim
