// Rows against the oracle, as bits or as sums within a bound; see the header.
#include "reference/row_checker.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "reference/bounded_sum.hpp"
#include "reference/expected_rows.hpp"
#include "reference/row.hpp"
#include "reference/row_operators.hpp"
#include "reference/scan_checker.hpp"
#include "wgprim/detail/text.hpp"

namespace wgprim::reference {
namespace {

ElementType type_of(Format format) {
  switch (format) {
    case Format::int32: return ElementType::i32;
    case Format::float32: return ElementType::f32;
    case Format::uint64: return ElementType::u64;
    case Format::int64: return ElementType::i64;
    default: return ElementType::u32;
  }
}

RowOperator operator_of(OperatorKind kind, Format format) {
  const ElementType type = type_of(format);
  if (kind == OperatorKind::min) return min_of(type);
  return kind == OperatorKind::max ? max_of(type) : sum_of(type);
}

bool is_float_sum(OperatorKind kind, Format format) {
  return kind == OperatorKind::sum && format == Format::float32;
}

std::string text_of(double value) {
  char text[64];
  const int size = std::snprintf(text, sizeof(text), "%.9g", value);
  return {text, static_cast<std::size_t>(size)};
}

/// What a kind of expected value needs: how to make one of a row, and to hold a result against it.
template <typename T>
struct Kind;

template <>
struct Kind<Row> {
  static Operator<Row> op(OperatorKind kind, Format format) { return operator_of(kind, format); }
  static Row from(const Row& row) { return row; }
  static bool agrees(const Row& found, const Row& expected) { return found == expected; }
  static std::string text(const Row& row, Format format) { return to_text({format, row}); }
};

template <>
struct Kind<BoundedSum> {
  static Operator<BoundedSum> op(OperatorKind, Format) { return bounded_sum(); }
  static BoundedSum from(const Row& row) { return bounded_term(from_row<float>(row)); }
  static bool agrees(const Row& found, const BoundedSum& expected) {
    return is_within_bound(from_row<float>(found), expected);
  }
  static std::string text(const BoundedSum& sum, Format) {
    return concat(text_of(sum.sum), " within ", text_of(error_bound(sum)));
  }
};

/// Keeps the greater error.
void note_error(std::optional<SumError>& greatest, const Row& found, const BoundedSum& expected) {
  const double bound = error_bound(expected);
  const double error = std::abs(double{from_row<float>(found)} - expected.sum);
  if (!std::isfinite(bound) || !std::isfinite(error)) return;
  if (!greatest || error > greatest->error) greatest = {error, bound};
}

void note_error(std::optional<SumError>&, const Row&, const Row&) {}

template <typename T>
T row_at(const PackedRows& rows, std::uint64_t row) {
  return Kind<T>::from(rows[row]);
}

template <typename T>
ScanDescription<T> description_of(const ScanOptions& options, SegmentFlags flags) {
  ScanDescription<T> how{
      .mode = options.mode, .segment_flags = flags, .is_reverse = options.is_reverse};
  if (options.init) {
    Row start{};  // Without what may stand behind the words of the format.
    std::copy_n(options.init->words.begin(), row_bytes(options.format) / 4, start.begin());
    how.init = Kind<T>::from(start);
  }
  return how;
}

}  // namespace

class RowChecker::Comparison {
 public:
  virtual ~Comparison() = default;

  Result<void> check(std::span<const std::uint32_t> words) {
    if (!wrong_row) compare(words);
    if (!wrong_row) return {};
    return fail(ErrorCode::verification_failed,
                concat("Row ", wrong_row->row, " of the result is ", wrong_row->found,
                       ", the reference says ", wrong_row->expected, "."));
  }

  std::uint64_t rows_checked = 0;
  std::optional<WrongRow> wrong_row;
  std::optional<SumError> greatest_error;

 protected:
  /// Counts rows up to the first wrong one.
  virtual void compare(std::span<const std::uint32_t> words) = 0;
};

/// Forward sums of 32-bit integers, the most common scan, many times as fast as the general way.
class RowChecker::WordSums : public Comparison {
 public:
  WordSums(std::span<const std::uint32_t> input, const ScanOptions& options, SegmentFlags flags)
      : input_(input), flags_(flags), format_(options.format), checker_(options.mode) {}

  static bool serves(const ScanOptions& options) {
    const bool is_word = options.format == Format::uint32 || options.format == Format::int32;
    return is_word && options.op.kind == OperatorKind::sum && !options.is_reverse && !options.init;
  }

 private:
  void compare(std::span<const std::uint32_t> words) override {
    const auto first = rows_checked;
    const auto count = std::min<std::uint64_t>(words.size(), input_.size() - first);
    const auto flags = flags_.empty() ? flags_ : flags_.subspan(first, count);
    const auto right = checker_.check(input_.subspan(first, count), words.first(count), flags);
    rows_checked = checker_.rows_checked();
    if (!right) {
      const auto& wrong = *checker_.mismatch();
      wrong_row = {wrong.row, text_of_word(wrong.found), text_of_word(wrong.expected)};
    } else if (count < words.size()) {
      wrong_row = {rows_checked, text_of_word(words[count]), "there is none"};
    }
  }

  std::string text_of_word(std::uint32_t word) const { return to_text({format_, {word}}); }

  std::span<const std::uint32_t> input_;
  SegmentFlags flags_;
  Format format_;
  ScanChecker<> checker_;
};

template <typename T>
class RowChecker::ComparisonOf : public Comparison {
 public:
  ComparisonOf(std::span<const std::uint32_t> input, const ScanOptions& options, SegmentFlags flags)
      : ComparisonOf(PackedRows(input, row_words(options)), options, flags) {}

 private:
  ComparisonOf(PackedRows rows, const ScanOptions& options, SegmentFlags flags)
      : row_words_(row_words(options)),
        format_(options.format),
        expected_(
            rows.size(), [rows](std::uint64_t row) { return row_at<T>(rows, row); },
            Kind<T>::op(options.op.kind, options.format), description_of<T>(options, flags)) {}

  static std::uint32_t row_words(const ScanOptions& options) {
    return static_cast<std::uint32_t>(row_bytes(options.format) / 4);
  }

  void compare(std::span<const std::uint32_t> words) override {
    for (const std::uint32_t word : words) {
      found_[filled_++] = word;
      if (filled_ < row_words_) continue;
      filled_ = 0;
      wrong_row = compare_row(found_);
      if (wrong_row) return;
      ++rows_checked;
    }
  }

  std::optional<WrongRow> compare_row(const Row& found) {
    if (block_ == nullptr || at_ == block_->size()) {
      block_ = &expected_.next_block();
      at_ = 0;
    }
    const bool is_beyond = at_ == block_->size();
    if (!is_beyond) note_error(greatest_error, found, (*block_)[at_]);
    if (!is_beyond && Kind<T>::agrees(found, (*block_)[at_])) {
      ++at_;
      return std::nullopt;
    }
    return WrongRow{
        .row = rows_checked,
        .found = Kind<Row>::text(found, format_),
        .expected = is_beyond ? "there is none" : Kind<T>::text((*block_)[at_], format_)};
  }

  std::uint32_t row_words_;
  std::uint32_t filled_ = 0;
  Row found_{};
  Format format_;
  ExpectedRows<T> expected_;
  const std::vector<T>* block_ = nullptr;
  std::size_t at_ = 0;
};

RowChecker::RowChecker(std::span<const std::uint32_t> input, const ScanOptions& options,
                       SegmentFlags segment_flags) {
  if (WordSums::serves(options)) {
    comparison_ = std::make_unique<WordSums>(input, options, segment_flags);
  } else if (is_float_sum(options.op.kind, options.format)) {
    comparison_ = std::make_unique<ComparisonOf<BoundedSum>>(input, options, segment_flags);
  } else {
    comparison_ = std::make_unique<ComparisonOf<Row>>(input, options, segment_flags);
  }
}

RowChecker::RowChecker(RowChecker&&) noexcept = default;
RowChecker& RowChecker::operator=(RowChecker&&) noexcept = default;
RowChecker::~RowChecker() = default;

Result<void> RowChecker::check(std::span<const std::uint32_t> output) {
  return comparison_->check(output);
}

std::uint64_t RowChecker::rows_checked() const { return comparison_->rows_checked; }
const std::optional<WrongRow>& RowChecker::wrong_row() const { return comparison_->wrong_row; }
const std::optional<SumError>& RowChecker::greatest_error() const {
  return comparison_->greatest_error;
}

namespace {

template <typename T>
Result<void> check_total(const PackedRows& rows, OperatorKind kind, const wgprim::RowValue& found,
                         std::optional<SumError>& error) {
  const Operator<T> op = Kind<T>::op(kind, found.format);
  T total = op.identity;
  for (std::size_t row = 0; row < rows.size(); ++row)
    total = op.combine(total, row_at<T>(rows, row));
  note_error(error, found.words, total);
  if (Kind<T>::agrees(found.words, total)) return {};
  return fail(ErrorCode::verification_failed,
              concat("The result is ", to_text(found), ", the reference says ",
                     Kind<T>::text(total, found.format), "."));
}

}  // namespace

Result<void> check_reduction(std::span<const std::uint32_t> input, OperatorKind op,
                             const wgprim::RowValue& found, std::optional<SumError>* error) {
  const PackedRows rows(input, static_cast<std::uint32_t>(row_bytes(found.format) / 4));
  std::optional<SumError> unheard;
  std::optional<SumError>& heard = error != nullptr ? *error : unheard;
  return is_float_sum(op, found.format) ? check_total<BoundedSum>(rows, op, found, heard)
                                        : check_total<Row>(rows, op, found, heard);
}

Result<void> check_segment_totals(std::span<const std::uint32_t> input, SegmentFlags flags,
                                  OperatorKind op, Format format,
                                  std::span<const std::uint32_t> totals,
                                  std::optional<SumError>* error) {
  const std::size_t width = row_bytes(format) / 4;
  const std::size_t rows = input.size() / width;
  const std::size_t found = totals.size() / width;
  std::size_t segment = 0;
  for (std::size_t begin = 0; begin < rows; ++segment) {
    std::size_t end = begin + 1;
    while (end < rows && flags[end] == 0)
      ++end;
    if (segment < found) {
      wgprim::RowValue total(format, {});
      std::ranges::copy(totals.subspan(segment * width, width), total.words.begin());
      const auto own = input.subspan(begin * width, (end - begin) * width);
      if (auto ok = check_reduction(own, op, total, error); !ok) {
        return fail(ok.error().code, concat("Segment ", segment, ": ", ok.error().message));
      }
    }
    begin = end;
  }
  if (segment == found) return {};
  return fail(ErrorCode::verification_failed,
              concat("The result has ", found, " segments, the reference has ", segment, "."));
}

std::string to_text(const wgprim::RowValue& value) {
  const std::uint64_t bits = value.words[0] | std::uint64_t{value.words[1]} << 32;
  switch (value.format) {
    case Format::int32: return std::to_string(std::bit_cast<std::int32_t>(value.words[0]));
    case Format::float32: return text_of(std::bit_cast<float>(value.words[0]));
    case Format::uint64: return std::to_string(bits);
    case Format::int64: return std::to_string(std::bit_cast<std::int64_t>(bits));
    default: return std::to_string(value.words[0]);
  }
}

}  // namespace wgprim::reference
