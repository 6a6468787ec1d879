// Prefix sums of split 64-bit words; see the header.
#include "reference/split_scan.hpp"

#include "reference/scan.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::reference {
namespace {

/// Both arrays as one sequence of 64-bit rows.
struct JoinedRows {
  std::span<const std::uint32_t> low;
  std::span<const std::uint32_t> high;

  std::size_t size() const { return low.size(); }
  std::uint64_t operator[](std::size_t row) const {
    return std::uint64_t{high[row]} << 32 | low[row];
  }
};

}  // namespace

Result<SplitWords> split_scan(std::span<const std::uint32_t> low,
                              std::span<const std::uint32_t> high, ScanMode mode,
                              std::uint64_t carry_in) {
  if (low.size() != high.size()) {
    return fail(ErrorCode::invalid_argument,
                concat("There are ", low.size(), " low words but ", high.size(), " high words."));
  }
  SplitWords sums{.low = std::vector<std::uint32_t>(low.size()),
                  .high = std::vector<std::uint32_t>(high.size())};
  sums.carry_out = scan_each<std::uint64_t>(
      JoinedRows{low, high}, unsigned_sum<std::uint64_t>(), {.mode = mode, .carry_in = carry_in},
      [&](std::size_t row, std::uint64_t sum) {
        sums.low[row] = static_cast<std::uint32_t>(sum);
        sums.high[row] = static_cast<std::uint32_t>(sum >> 32);
      });
  return sums;
}

}  // namespace wgprim::reference
