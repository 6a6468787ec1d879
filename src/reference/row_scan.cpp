// Scans of rows of words; see the header.
#include "reference/row_scan.hpp"

#include "wgprim/detail/text.hpp"

namespace wgprim::reference {

Result<PackedRows> check_rows(std::span<const std::uint32_t> words, const RowOperator& op,
                              SegmentFlags segment_flags) {
  if (op.words == 0 || op.words > kMaxRowWords) {
    return fail(ErrorCode::invalid_argument,
                concat("The operator takes rows of ", op.words, " words (1 to ", kMaxRowWords,
                       " are possible)."));
  }
  if (words.size() % op.words != 0) {
    return fail(ErrorCode::invalid_argument,
                concat(words.size(), " words are no whole rows of ", op.words, " words."));
  }
  const PackedRows rows(words, op.words);
  if (!segment_flags.empty() && segment_flags.size() != rows.size()) {
    return fail(ErrorCode::invalid_argument,
                concat(rows.size(), " rows come with ", segment_flags.size(), " segment flags."));
  }
  return rows;
}

Result<RowScanResult> scan_rows(std::span<const std::uint32_t> words, const RowOperator& op,
                                const RowScanDescription& how) {
  const auto rows = check_rows(words, op, how.segment_flags);
  if (!rows) return pass_on(rows);
  if (how.init && how.carry_in) {
    return fail(ErrorCode::invalid_argument,
                "A scan takes a start value or a carry from rows before it, not both.");
  }
  RowScanResult result{.output = std::vector<std::uint32_t>(words.size())};
  result.carry_out = scan_each<Row>(*rows, op, how, [&](std::size_t row, const Row& value) {
    store_row(result.output, op.words, row, value);
  });
  return result;
}

}  // namespace wgprim::reference
