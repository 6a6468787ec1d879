// Reductions of rows of words; see the header.
#include "reference/row_reduce.hpp"

#include "reference/reduce.hpp"
#include "reference/row_scan.hpp"

namespace wgprim::reference {
namespace {

RowTotals pack(const std::vector<Row>& totals, std::uint32_t row_words) {
  RowTotals packed{.totals = std::vector<std::uint32_t>(totals.size() * row_words),
                   .count = totals.size()};
  for (std::size_t row = 0; row < totals.size(); ++row)
    store_row(packed.totals, row_words, row, totals[row]);
  return packed;
}

}  // namespace

Result<Row> reduce_rows(std::span<const std::uint32_t> words, const RowOperator& op) {
  const auto rows = check_rows(words, op);
  if (!rows) return pass_on(rows);
  return reduce<Row>(*rows, op);
}

Result<RowTotals> reduce_rows_by_flags(std::span<const std::uint32_t> words, const RowOperator& op,
                                       SegmentFlags segment_flags) {
  const auto rows = check_rows(words, op, segment_flags);
  if (!rows) return pass_on(rows);
  return pack(reduce_by_flags<Row>(*rows, op, segment_flags), op.words);
}

Result<RowTotals> reduce_rows_by_offsets(std::span<const std::uint32_t> words,
                                         const RowOperator& op,
                                         std::span<const std::uint32_t> offsets) {
  const auto rows = check_rows(words, op);
  if (!rows) return pass_on(rows);
  if (offsets.empty()) {
    return fail(ErrorCode::invalid_argument,
                "There are no offsets; the ranges of k totals need k + 1.");
  }
  return pack(reduce_by_offsets<Row>(*rows, op, offsets), op.words);
}

}  // namespace wgprim::reference
