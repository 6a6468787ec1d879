// Bisects over plans; see the header.
#include "api/piece_budget.hpp"

#include <algorithm>

#include "wgprim/detail/text.hpp"
#include "wgprim/limits.hpp"
#include "wgprim/view.hpp"

namespace wgprim::api {
namespace {

constexpr std::uint64_t kMostSliceBytes = std::uint64_t{16} << 20;
/// The device keeps a staging buffer that the subgroup self-tests may have made up to this size.
constexpr std::uint64_t kLeastSliceBytes = std::uint64_t{16} << 10;
constexpr std::uint64_t kTimerBytes = 32;  ///< A pair of timestamps, and where it is read back.

/// Pieces of whole tiles leave none half empty in their middle.
constexpr std::uint64_t kWholeTiles = 4096;

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

std::uint64_t slice_bytes(std::uint64_t rows, std::uint64_t row_bytes) {
  return std::clamp(rows * row_bytes, kLeastSliceBytes, kMostSliceBytes);
}

/// Of every buffer that running the plan takes. Uploads and downloads each have a slice in flight.
std::uint64_t bytes_of(const Plan& plan, std::uint64_t slice) {
  std::uint64_t bytes = plan.scratch_bytes + 2 * slice + kTimerBytes;
  for (const PlanBuffer& buffer : plan.buffers) {
    const bool is_own = buffer.role == BufferRole::imported || buffer.role == BufferRole::constant;
    if (is_own) bytes += round_up(std::max<std::uint64_t>(buffer.bytes, 4), 4);
  }
  for (const PlanDispatch& dispatch : plan.dispatches)
    bytes += round_up(4 * dispatch.parameters.size(), kBindingAlignment);
  return bytes;
}

class Search {
 public:
  Search(const PlanOfPiece& plan_of, std::uint64_t rows, std::uint64_t row_bytes)
      : plan_of_(plan_of), rows_(rows), row_bytes_(row_bytes) {}

  /// What pieces of so many rows take, and the one with the rest.
  Result<PieceBudget> try_rows(std::uint64_t rows) const {
    PieceBudget budget{.rows = rows, .slice_bytes = slice_bytes(rows, row_bytes_)};
    for (const std::uint64_t piece : {rows, rows == 0 ? 0 : rows_ % rows}) {
      const auto plan = plan_of_(piece);
      if (!plan) return pass_on(plan);
      budget.device_bytes = std::max(budget.device_bytes, bytes_of(*plan, budget.slice_bytes));
    }
    return budget;
  }

  /// The most rows up to `end` - 1 that fit; `best` does.
  Result<PieceBudget> grow(PieceBudget best, std::uint64_t end, std::uint64_t memory) const {
    while (end - best.rows > 1) {
      const std::uint64_t middle = best.rows + (end - best.rows) / 2;
      auto budget = try_rows(middle);
      if (!budget) return budget;
      if (budget->device_bytes <= memory) {
        best = *budget;
      } else {
        end = middle;
      }
    }
    return best;
  }

 private:
  const PlanOfPiece& plan_of_;
  std::uint64_t rows_;
  std::uint64_t row_bytes_;
};

}  // namespace

Result<PieceBudget> choose_pieces(const PlanOfPiece& plan_of, std::uint64_t rows,
                                  std::uint64_t row_bytes, std::uint64_t memory_bytes) {
  const Search search(plan_of, rows, row_bytes);
  const std::uint64_t most = std::min(rows, kMaxRows - 1);
  const auto all = search.try_rows(most);
  if (!all || all->device_bytes <= memory_bytes) return all;
  const auto least = search.try_rows(std::min<std::uint64_t>(most, 1));
  if (!least) return least;
  if (least->device_bytes > memory_bytes) {
    return fail(ErrorCode::limit_exceeded,
                concat("The device buffers do not fit into ", memory_bytes, " bytes; ",
                       least->device_bytes, " bytes are the least that does."));
  }
  const auto found = search.grow(*least, most, memory_bytes);
  if (!found || found->rows < 2 * kWholeTiles) return found;
  auto whole = search.try_rows(found->rows / kWholeTiles * kWholeTiles);
  return whole && whole->device_bytes > memory_bytes ? found : whole;
}

}  // namespace wgprim::api
