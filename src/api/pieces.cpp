// Scans and reductions piece by piece: one plan with a carry in and a carry out, run again and
// again, with upload and read-back in slices around it.
#include "wgprim/pieces.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "api/device_arrays.hpp"
#include "api/piece_budget.hpp"
#include "api/row_words.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim {
namespace {

constexpr std::string_view kRowSource = "source of the rows";

using api::DeviceArrays;
using api::PieceBudget;
using api::PlacedArray;

/// What scans and reductions in pieces have in common: a plan of any number of rows that goes on
/// from the row 'carry_in' and leaves another, and one that says what the first piece starts from.
struct PieceWork {
  Format format = Format::uint32;
  api::PlanOfPiece plan_of;
  Result<Plan> start;
  std::string_view carry_out;  ///< The name of what the plans leave.
  bool is_reverse = false;
};

/// Rows [first, first + count) of the array.
struct Piece {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

std::vector<Piece> cut(std::uint64_t rows, const PieceWork& work, const PieceBudget& budget) {
  std::vector<Piece> pieces;
  for (std::uint64_t first = 0; first < rows; first += budget.rows)
    pieces.push_back({first, std::min(budget.rows, rows - first)});
  if (work.is_reverse) std::ranges::reverse(pieces);
  return pieces;
}

class PieceLoop {
 public:
  PieceLoop(Device& device, PieceWork work, const PieceBudget& budget)
      : device_(device), work_(std::move(work)), budget_(budget) {}

  /// Leaves in carry() what the first piece starts from.
  Result<void> start() {
    for (std::optional<Buffer>& carry : carries_) {
      auto buffer =
          device_.create_buffer(row_bytes(work_.format),
                                kUsageStorage | kUsageCopySource | kUsageCopyDestination, "carry");
      if (!buffer) return pass_on(buffer);
      carry = std::move(*buffer);
    }
    if (!work_.start) return pass_on(work_.start);
    if (auto ok = prepare(*work_.start); !ok) return ok;
    return run();
  }

  /// Makes the next piece ready for its rows.
  Result<void> prepare(std::uint64_t rows) {
    if (executable_ && rows == rows_) return {};
    auto plan = work_.plan_of(rows);
    if (!plan) return pass_on(plan);
    rows_ = rows;
    return prepare(*std::move(plan));
  }

  Result<void> upload(std::string_view name, Format format, std::span<const std::uint32_t> words) {
    const auto array = place(name, format);
    return array ? arrays_->upload(device_, *array, std::as_bytes(words)) : pass_on(array);
  }

  /// Runs the piece; its carry out is the next one's carry in.
  Result<void> run() {
    const auto imports = arrays_->imports();
    auto ran = wgprim::run(device_, *executable_, {.imports = imports}, &gpu_ns_);
    if (!ran) return ran;
    const Plan& plan = executable_->plan();
    report_.dispatches += plan.dispatches.size();
    report_.bytes_read += plan.workload.bytes_read;
    report_.bytes_written += plan.workload.bytes_written;
    report_.scratch_bytes = std::max(report_.scratch_bytes, plan.scratch_bytes);
    std::swap(carries_[0], carries_[1]);
    arrays_->set_given(given());
    return {};
  }

  Result<void> download(std::string_view name, const RowSink& sink) {
    const auto array = place(name, work_.format);
    return array ? arrays_->download(device_, *array, sink) : pass_on(array);
  }

  Result<void> read_carry(RowValue& value) {
    return device_.download(*carries_[0], 0, row_bytes(work_.format),
                            [&](std::span<const std::byte> row) {
                              std::memcpy(value.words.data(), row.data(), row.size());
                              return Result<void>();
                            });
  }

  ScanReport report(std::uint64_t rows, std::uint64_t pieces) const {
    ScanReport report = report_;
    const ScanReport last = api::report_of(executable_->plan(), rows);
    report.path = last.path;
    report.reason = last.reason;
    report.rows = rows;
    report.uses_subgroups = last.uses_subgroups;
    report.is_deterministic = last.is_deterministic;
    report.gpu_ns = gpu_ns_;
    report.pieces = pieces;
    report.device_bytes = budget_.device_bytes;
    return report;
  }

 private:
  Result<PlacedArray> place(std::string_view name, Format format) {
    const auto profile = device_.profile();
    if (!profile) return pass_on(profile);
    return api::place_array(name, rows_, format, {}, profile->limits);
  }

  /// The carries that the plan at hand has: the one that starts has none coming in.
  std::vector<Import> given() const {
    std::vector<Import> carries = {{"carry_in", &*carries_[0]}, {work_.carry_out, &*carries_[1]}};
    const std::vector<PlanBuffer>& buffers = executable_->plan().buffers;
    std::erase_if(carries, [&](const Import& carry) {
      return std::ranges::find(buffers, carry.id, &PlanBuffer::id) == buffers.end();
    });
    return carries;
  }

  Result<void> prepare(Plan plan) {
    executable_.reset();  // Two at a time would take more memory than was counted.
    arrays_.reset();
    auto executable = Executable::create(device_, std::move(plan));
    if (!executable) return pass_on(executable);
    executable_ = std::move(*executable);
    auto arrays = DeviceArrays::create(device_, executable_->plan(), given());
    if (!arrays) return pass_on(arrays);
    arrays_ = std::move(*arrays);
    arrays_->set_slice(budget_.slice_bytes);
    return {};
  }

  Device& device_;
  PieceWork work_;
  PieceBudget budget_;
  std::array<std::optional<Buffer>, 2> carries_;  ///< The next piece's carry in, and its carry out.
  std::optional<Executable> executable_;
  std::optional<DeviceArrays> arrays_;
  std::uint64_t rows_ = 0;
  std::optional<double> gpu_ns_;
  ScanReport report_;
};

std::string_view output_of(const ScanOptions& options) {
  return options.is_in_place ? "data" : "output";
}

PieceWork work_of(const ScanOptions& options, const DeviceProfile& profile) {
  ScanOptions going_on = options;
  going_on.has_carry_in = going_on.has_carry_out = true;
  ScanOptions starting = options;
  starting.is_segmented = false;
  starting.has_carry_out = true;
  return {.format = options.format,
          .plan_of = [=](std::uint64_t rows) { return plan_scan(rows, going_on, profile); },
          .start = plan_scan(0, starting, profile),
          .carry_out = "carry_out",
          .is_reverse = options.is_reverse};
}

PieceWork work_of(const ReduceOptions& options, const DeviceProfile& profile) {
  ReduceOptions going_on = options;
  going_on.has_carry_in = true;
  return {.format = options.format,
          .plan_of = [=](std::uint64_t rows) { return plan_reduce(rows, going_on, profile); },
          .start = plan_reduce(0, options, profile),
          .carry_out = "output"};
}

Result<PieceBudget> budget_of(const PieceWork& work, std::uint64_t rows,
                              std::uint64_t memory_bytes) {
  return api::choose_pieces(work.plan_of, rows, row_bytes(work.format), memory_bytes);
}

/// What one piece does beyond running: its rows go up before, and a scan's come back afterwards.
using PieceStep = std::function<Result<void>(PieceLoop&, const Piece&)>;

Result<void> for_each_piece(PieceLoop& loop, std::span<const Piece> pieces, const PieceStep& upload,
                            const PieceStep& download,
                            const std::function<void(std::uint64_t)>& show) {
  if (auto ok = loop.start(); !ok) return ok;
  std::uint64_t done = 0;
  for (const Piece& piece : pieces) {
    if (auto ok = loop.prepare(piece.count); !ok) return ok;
    if (auto ok = upload(loop, piece); !ok) return ok;
    if (auto ok = loop.run(); !ok) return ok;
    if (auto ok = download(loop, piece); !ok) return ok;
    done += piece.count;
    show(done);
  }
  return {};
}

Result<void> upload_from(PieceLoop& loop, const Piece& piece, const RowsAt& rows,
                         std::string_view name, Format format) {
  const auto words = rows(piece.first, piece.count);
  if (!words) return pass_on(words);
  if (words->size_bytes() == piece.count * row_bytes(format)) {
    return loop.upload(name, format, *words);
  }
  return fail(ErrorCode::invalid_argument,
              concat("The source gives ", words->size(), " words for ", piece.count, " rows of ",
                     to_string(format), "."));
}

}  // namespace

Result<ScanReport> scan_in_pieces(Device& device, const PieceSource& source, const PieceSink& sink,
                                  const ScanOptions& options, std::uint64_t memory_bytes,
                                  const ProgressSink& progress) {
  const Placement usual;
  if (options.input != usual || options.output != usual || options.flags != usual) {
    return fail(ErrorCode::invalid_argument,
                "The arrays of a scan in pieces are placed as usual, without chunks.");
  }
  const bool has_carries = options.has_carry_in || options.has_carry_out;
  if (auto ok = api::check_no_carries("scan", has_carries); !ok) return pass_on(ok);
  auto given = api::check_given(api::kResultSink, bool{sink});
  if (given) given = api::check_given(kRowSource, bool{source.input});
  if (given) given = api::check_given("source of the flags", !options.is_segmented || source.flags);
  if (!given) return pass_on(given);
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  const PieceWork work = work_of(options, *profile);
  const auto budget = budget_of(work, source.rows, memory_bytes);
  if (!budget) return pass_on(budget);
  const auto pieces = cut(source.rows, work, *budget);
  const auto upload = [&](PieceLoop& loop, const Piece& piece) {
    const std::string_view name = options.is_in_place ? "data" : "input";
    auto ok = upload_from(loop, piece, source.input, name, options.format);
    if (!ok || !options.is_segmented) return ok;
    return upload_from(loop, piece, source.flags, "flags", Format::uint32);
  };
  const auto download = [&](PieceLoop& loop, const Piece& piece) {
    std::uint64_t word = piece.first * row_bytes(options.format) / 4;
    return loop.download(output_of(options), [&](std::span<const std::uint32_t> words) {
      auto taken = sink(word, words);
      word += words.size();
      return taken;
    });
  };
  const auto show = [&](std::uint64_t done) {
    if (progress) progress("scan", done, source.rows);
  };
  PieceLoop loop(device, work, *budget);
  if (auto ok = for_each_piece(loop, pieces, upload, download, show); !ok) return pass_on(ok);
  return loop.report(source.rows, pieces.size());
}

Result<ReduceReport> reduce_in_pieces(Device& device, const PieceSource& source,
                                      const ReduceOptions& options, std::uint64_t memory_bytes,
                                      const ProgressSink& progress) {
  auto carried = api::check_no_carries("reduction", options.has_carry_in);
  if (!carried) return pass_on(carried);
  if (auto given = api::check_given(kRowSource, bool{source.input}); !given) return pass_on(given);
  const auto profile = device.profile();
  if (!profile) return pass_on(profile);
  const PieceWork work = work_of(options, *profile);
  const auto budget = budget_of(work, source.rows, memory_bytes);
  if (!budget) return pass_on(budget);
  const auto pieces = cut(source.rows, work, *budget);
  const auto upload = [&](PieceLoop& loop, const Piece& piece) {
    return upload_from(loop, piece, source.input, "input", options.format);
  };
  const auto nothing = [](PieceLoop&, const Piece&) { return Result<void>(); };
  const auto show = [&](std::uint64_t done) {
    if (progress) progress("reduce", done, source.rows);
  };
  PieceLoop loop(device, work, *budget);
  if (auto ok = for_each_piece(loop, pieces, upload, nothing, show); !ok) return pass_on(ok);
  ReduceReport report{loop.report(source.rows, pieces.size()), {options.format, {}}};
  if (auto ok = loop.read_carry(report.value); !ok) return pass_on(ok);
  return report;
}

}  // namespace wgprim
